import { z } from "zod";

import { transaction } from "@/lib/database/db";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { assertAttemptAllowed, type Throttle } from "@/lib/security/throttle";
import { personName } from "@/lib/sessions/people/person";

/** Each change stays in the audit log. */
const PER_USER: Throttle = { name: "rename-oneself", limit: 20, windowSeconds: 3600 };

const RENAME = `
  WITH before AS (SELECT id, name FROM users WHERE id = $1 FOR UPDATE)
  UPDATE users u SET name = $2 FROM before WHERE u.id = before.id RETURNING before.name AS before`;

/** The name is the person's in every organization, so only they change it. */
export const renameOneself = defineOperation({
  name: "rename_oneself",
  summary: "Change your own name, as colleagues see it beside your records and comments.",
  scopes: [],
  people: "members",
  stores: true,
  input: z.strictObject({ name: personName }),
  output: z.object({ name: z.string() }),
  async run({ organizationId, userId, address }, { name }) {
    await assertAttemptAllowed(PER_USER, userId, "You have changed your name too often.");
    return transaction(async (client) => {
      const { rows } = await client.query<{ before: string }>(RENAME, [userId, name]);
      const before = rows[0]?.before;
      if (before !== undefined && before !== name)
        await recordAudit(client, { organizationId, userId, address }, "person.renamed", {
          details: { before, after: name },
        });
      return { name };
    });
  },
});
