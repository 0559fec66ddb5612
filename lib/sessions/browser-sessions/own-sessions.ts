import { z } from "zod";

import { pool, transaction } from "@/lib/database/db";
import { isoText } from "@/lib/database/iso-text";
import { AppError } from "@/lib/errors";
import { idOrNull, MAX_UUID } from "@/lib/ids";
import { pathId } from "@/lib/input/ids-and-times";
import { cutPage, pageInput, pageOutput } from "@/lib/input/page";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";
import { ownSession } from "@/lib/sessions/schemas";

type Row = Omit<z.infer<typeof ownSession>, "is_current">;

const SELECT_SESSIONS = `
  SELECT id, browser, address, ${isoText("created_at")} AS created_at, ${isoText("last_used_at")} AS last_used_at
  FROM sessions
  WHERE organization_id = $1 AND user_id = $2 AND expires_at > now() AND id < $3
  ORDER BY id DESC LIMIT $4`;

export const listSessions = defineOperation({
  name: "list_sessions",
  summary: "List the browsers in which you are signed in, newest first.",
  scopes: [],
  people: "members",
  input: z.strictObject(pageInput),
  output: pageOutput(ownSession),
  async run({ organizationId, userId, sessionId }, { limit, cursor }) {
    const { rows } = await pool().query<Row>(SELECT_SESSIONS, [organizationId, userId, cursor ?? MAX_UUID, limit + 1]);
    const views = rows.map((row) => ({ ...row, is_current: row.id === sessionId }));
    return cutPage(views, limit, ({ id }) => id);
  },
});

const END_SESSIONS = "DELETE FROM sessions WHERE organization_id = $1 AND user_id = $2 AND expires_at > now()";

export const endOwnSession = defineOperation({
  name: "end_session",
  summary:
    "Sign out one of the browsers in which you are signed in: from the next request on its session does not work.",
  scopes: [],
  people: "members",
  input: z.strictObject({ id: pathId("session") }),
  output: z.object({ id: z.uuidv7(), ended: z.literal(true) }),
  run({ organizationId, userId, address }, { id }) {
    return transaction(async (client) => {
      const text = `${END_SESSIONS} AND id = $3 RETURNING browser`;
      const { rows } = await client.query<{ browser: string }>(text, [organizationId, userId, idOrNull(id)]);
      const [ended] = rows;
      if (!ended) throw new AppError("not_found", "You have no session with this id, or it has ended already.");
      const details = { sessions_ended: 1, browser: ended.browser };
      await recordAudit(client, { organizationId, userId, address }, "session.ended", { details });
      return { id, ended: true as const };
    });
  },
});

export const endOtherSessions = defineOperation({
  name: "end_other_sessions",
  summary: "Sign out all browsers but this one.",
  scopes: [],
  people: "members",
  input: z.strictObject({}),
  output: z.object({ sessions_ended: z.int() }),
  run({ organizationId, userId, sessionId, address }) {
    return transaction(async (client) => {
      const { rowCount } = await client.query(`${END_SESSIONS} AND id <> $3`, [organizationId, userId, sessionId]);
      const sessions_ended = rowCount ?? 0;
      if (sessions_ended > 0)
        await recordAudit(client, { organizationId, userId, address }, "session.ended", {
          details: { sessions_ended },
        });
      return { sessions_ended };
    });
  },
});
