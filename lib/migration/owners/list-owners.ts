import { pool } from "@/lib/database/db";
import { selectedObjects } from "@/lib/migration/configuration/selected-objects";
import { askOrg } from "@/lib/migration/connections/ask-org";
import { findMigrationContents, requireReport } from "@/lib/migration/migration-contents";
import { NO_CHOICES, chooseOwner } from "@/lib/migration/owners/choose-owner";
import { readMembers } from "@/lib/migration/owners/members";
import { MAX_LISTED, sourceOwners } from "@/lib/migration/owners/owners-schema";
import { readSourceOwners } from "@/lib/migration/owners/source-owners";
import { migrationInput } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";

export const listOwners = defineOperation({
  name: "list_migration_owners",
  summary:
    "List the users and queues of the Salesforce org that own records of the selected objects or wrote comments, how " +
    "many, and which member each becomes by the stored configuration; those with most first.",
  scopes: ["crm:read"],
  volatile: true,
  input: migrationInput,
  output: sourceOwners,
  async run({ organizationId }, { migration_id: migrationId }) {
    const stored = await findMigrationContents(organizationId, migrationId);
    const selected = selectedObjects(requireReport(stored), stored.configuration);
    const { answer, because } = await askOrg(organizationId, migrationId, (client, signal) =>
      readSourceOwners(client, selected, signal),
    );
    const { byId, withEmail } = await readMembers(pool(), organizationId);
    const emails = new Map(answer?.map(({ id, email }) => [id, email]));
    const withSameEmail = (id: string) => withEmail(emails.get(id) ?? null)?.user_id ?? null;
    const ownerOf = chooseOwner(stored.configuration.owners ?? NO_CHOICES, byId, withSameEmail);
    const data = (answer ?? []).slice(0, MAX_LISTED).map((found) => {
      const { member, rule } = ownerOf(found.id, true);
      const user = member === null ? undefined : byId.get(member);
      return {
        ...found,
        rule,
        user: user ? { id: user.user_id, name: user.name, email: user.email, is_disabled: user.is_disabled } : null,
      };
    });
    return { data, more: Math.max(0, (answer?.length ?? 0) - MAX_LISTED), not_listed_because: because };
  },
});
