import { Alert, Checkbox, Group, NativeSelect, Paper, Stack, Text } from "@mantine/core";
import { IconUsers } from "@tabler/icons-react";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { MakeMembers } from "@/components/migration/configure/owners/make-members";
import { ownersOf, withOwners } from "@/components/migration/configure/owners/owner-choices";
import { OwnerTable } from "@/components/migration/configure/owners/owner-table";
import { type Person, usePeople } from "@/components/migration/configure/owners/use-people";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { SavedNote } from "@/components/migration/configure/saved-note";
import { useOwners } from "@/components/migration/configure/use-dependent";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { formatNumber } from "@/components/ui/text/format";
import type { SourceOwners } from "@/lib/migration/owners/owners-schema";

/** Who owns here what users and queues own in Salesforce. */
export function OwnersPart() {
  const { migration } = useEditing();
  const owners = useOwners(migration.migration_id);
  const people = usePeople();
  return (
    <Stack gap="lg">
      <PartHeading title="Who owns the records">
        A user of Salesforce is the member with the same e-mail address, unless you choose another one. The “.invalid”
        that a sandbox appends to addresses does not count. The Salesforce id of the owner is kept in any case.
      </PartHeading>
      <Loaded query={people} loading="Loading the members">
        {(members) => (
          <>
            <Rules people={members} />
            <SavedNote />
            <Loaded query={owners} loading="Counting whose the records are">
              {(listed) => <Listed owners={listed} people={members} />}
            </Loaded>
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Listed({ owners, people }: { owners: SourceOwners; people: readonly Person[] }) {
  const { data, more, not_listed_because: because } = owners;
  return (
    <Stack gap="sm">
      {because !== null && (
        <Alert color="amber" title="The owners are not listed">
          {because}
        </Alert>
      )}
      <MakeMembers owners={data} />
      {data.length > 0 && <OwnerTable owners={data} people={people} />}
      {data.length === 0 && because === null && (
        <EmptyList icon={IconUsers} title="No owners" description="Nobody owns records of the selected objects." />
      )}
      {more > 0 && (
        <Text size="sm" c="dimmed">
          And {formatNumber(more)} more, who own fewer records.
        </Text>
      )}
    </Stack>
  );
}

/** What decides for those for whom nobody was chosen. */
function Rules({ people }: { people: readonly Person[] }) {
  const { draft, isLocked, change } = useEditing();
  const { by_email: byEmail, fallback } = ownersOf(draft);
  // Who cannot sign in is not among the people, and yet owns what would have no owner.
  const isListed = fallback === null || people.some(({ id }) => id === fallback);
  return (
    <Paper withBorder p="lg">
      <Group gap="xl" align="flex-start">
        <Checkbox
          label="Match by e-mail address"
          description="A user is the member with the same address."
          // On one line with the label beside it.
          mt={3}
          checked={byEmail}
          disabled={isLocked}
          onChange={({ currentTarget: { checked } }) => change((now) => withOwners(now, { by_email: checked }))}
        />
        <NativeSelect
          label="Fallback owner"
          description="Owns what would have no owner."
          disabled={isLocked}
          value={fallback ?? ""}
          onChange={({ currentTarget: { value } }) => change((now) => withOwners(now, { fallback: value || null }))}
        >
          <option value="">Nobody</option>
          {!isListed && <option value={fallback}>A disabled or removed member</option>}
          {people.map(({ id, name, email }) => (
            <option key={id} value={id}>
              {`${name} (${email})`}
            </option>
          ))}
        </NativeSelect>
      </Group>
    </Paper>
  );
}
