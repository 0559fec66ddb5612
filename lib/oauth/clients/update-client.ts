import { isDeepStrictEqual } from "node:util";

import { z } from "zod";

import { transaction } from "@/lib/database/db";
import { AppError, type Fault } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { clientName, redirectUris } from "@/lib/oauth/clients/client-fields";
import { oauthClient } from "@/lib/oauth/clients/client-schema";
import { findClientView, noSuchClient, type EditableFields, lockClient } from "@/lib/oauth/clients/read-clients";
import { defineOperation } from "@/lib/operation";
import { recordAudit } from "@/lib/security/audit";

const UPDATE = "UPDATE oauth_clients SET name = $3, redirect_uris = $4 WHERE organization_id = $1 AND id = $2";

const previous = z
  .strictObject({ name: z.string().optional(), redirect_uris: z.array(z.string()).optional() })
  .describe(
    "What the fields were when they were read: refused as a conflict if somebody has changed one of them since.",
  );

/**
 * Changes the fields that are sent and no others. Scopes cannot be changed: what people have allowed was allowed to a
 * client of these scopes. Codes and consents that wait for a redirect URI that is taken away lead nowhere from then on.
 * Throws `conflict` where `previous` is past.
 */
export const updateClient = defineOperation({
  name: "update_api_client",
  summary: "Change the name or the redirect URIs of an API client.",
  scopes: [],
  people: "admins",
  input: z.strictObject({
    id: pathId("API client"),
    name: clientName.optional(),
    redirect_uris: redirectUris.optional(),
    previous: previous.optional(),
  }),
  output: oauthClient,
  async run({ organizationId, userId, address }, { id, name, redirect_uris, previous }) {
    await transaction(async (client) => {
      const before = await lockClient(client, organizationId, id);
      if (!before) throw noSuchClient();
      assertNotOutdated(before, previous ?? {});
      const after = { name: name ?? before.name, redirect_uris: redirect_uris ?? before.redirect_uris };
      if (isDeepStrictEqual(after, before)) return;
      await client.query(UPDATE, [organizationId, id, after.name, after.redirect_uris]);
      const details = { before, after: { name, redirect_uris } };
      await recordAudit(client, { organizationId, action: "client.updated", address, userId, clientId: id, details });
    });
    return findClientView(organizationId, id);
  },
});

const IS_NOW: Record<keyof EditableFields, string> = {
  name: "The name is now",
  redirect_uris: "The redirect URIs are now",
};

/** Two admins who edit at once must not undo each other's change without having seen it. */
function assertNotOutdated(now: EditableFields, previous: Partial<Record<keyof EditableFields, unknown>>): void {
  const names = (["name", "redirect_uris"] as const).filter(
    (name) => previous[name] !== undefined && !isDeepStrictEqual(previous[name], now[name]),
  );
  if (names.length === 0) return;
  const errors = names.map((name): Fault => ({
    pointer: `/previous/${name}`,
    code: "outdated",
    detail: `${IS_NOW[name]} ${[now[name]].flat().join(", ")}.`,
  }));
  throw new AppError(
    "conflict",
    "Somebody has changed this client since you read it. Look at what it is now, then decide.",
    { errors },
  );
}
