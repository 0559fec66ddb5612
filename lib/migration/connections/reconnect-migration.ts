import { z } from "zod";

import type { Context } from "@/lib/context";
import { prisma, transaction } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { pathId } from "@/lib/input/ids-and-times";
import { assertSameSource } from "@/lib/migration/assert-same-source";
import { connectByToken, type Connected, reconnect } from "@/lib/migration/connections/connect";
import { accessTokenInput, connectionIdInput } from "@/lib/migration/connections/connection-schema";
import { storeConnection } from "@/lib/migration/connections/stored-connection";
import { trySupersede } from "@/lib/migration/connections/supersede-connections";
import { findMigration } from "@/lib/migration/find-migration";
import { findMigrationContents, parseReport } from "@/lib/migration/migration-contents";
import { recordHistory } from "@/lib/migration/history/record-history";
import { type Migration, migration, type MigrationStatus } from "@/lib/migration/migration-schema";
import { statusOf } from "@/lib/migration/status";
import { defineOperation } from "@/lib/operation";

/** Its job reads from the connection that it has. */
const BUSY: MigrationStatus[] = ["analyzing", "running", "undoing"];

/**
 * Gives a migration new access to its org. A run that paused because Salesforce refused the access that it had goes on.
 * Throws `conflict` for another org or Salesforce user, and stores nothing then.
 */
export const reconnectMigration = defineOperation({
  name: "reconnect_migration",
  summary:
    "Give a migration new access to its Salesforce org, as the same Salesforce user. A run that paused because " +
    "Salesforce refused the access goes on where it stopped.",
  scopes: ["crm:write"],
  stores: true,
  input: z
    .strictObject({
      migration_id: pathId("migration"),
      ext_access_token: accessTokenInput.optional(),
      ext_instance_url: z
        .string()
        .min(1)
        .max(2000)
        .optional()
        .describe("With `ext_access_token`: the address of the org, if it is another one than before."),
      connection_id: connectionIdInput.optional(),
    })
    .refine(
      ({ ext_access_token: token, ext_instance_url: url, connection_id: connection }) =>
        connection ? !token && !url : token,
      {
        message: "Send ext_access_token, with ext_instance_url if the address is another one, or connection_id alone.",
      },
    )
    .meta({ anyOf: [{ required: ["ext_access_token"] }, { required: ["connection_id"] }] }),
  output: migration,
  async run(context, { migration_id, ext_access_token = "", ext_instance_url: given, connection_id }) {
    const { organizationId } = context;
    const before = await findMigration(organizationId, migration_id);
    const ext_instance_url = given ?? before.ext_instance_url;
    const connected = connection_id
      ? await reconnect(context, connection_id)
      : await connectByToken(context, { ext_instance_url, ext_access_token });
    await replaceConnection(context, before, connected);
    await trySupersede(organizationId, connected.id);
    return findMigration(organizationId, migration_id);
  },
});

async function replaceConnection(
  context: Context,
  { migration_id: id, ext_instance_url }: Migration,
  { row, id: connection_id }: Connected,
): Promise<void> {
  const { organizationId: organization_id } = context;
  const report = parseReport(await findMigrationContents(organization_id, id)) ?? {};
  await transaction(async (client) => {
    if (row) await storeConnection(client, context, row);
    await assertSameSource(organization_id, connection_id, report, ext_instance_url);
    const { count } = await prisma().migrations.updateMany({
      where: { organization_id, id, status: { notIn: BUSY } },
      data: { connection_id, updated_at: new Date() },
    });
    const key = { organizationId: organization_id, migrationId: id };
    if (count === 1) return recordHistory(client, key, { event: "reconnected", by: context.userId });
    throw new AppError(
      "illegal_state",
      `The migration is at work with the access that it has (status \`${await statusOf(client, key)}\`). Pause it ` +
        "first, or wait until it has ended.",
    );
  });
}
