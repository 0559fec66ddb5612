import { Badge, NativeSelect, Paper, Text, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useMemo, useState } from "react";

import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { choiceFor, withOwner } from "@/components/migration/configure/owners/owner-choices";
import type { Person } from "@/components/migration/configure/owners/use-people";
import { Announcement } from "@/components/ui/feedback/announcement";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import type { ListedOwner } from "@/lib/migration/owners/owners-schema";

interface OwnerTableProps {
  owners: readonly ListedOwner[];
  people: readonly Person[];
}

/** So many rows are enough to choose from; the search finds the others. */
const MAX_ROWS = 50;

/** The users and queues of the org, those who own most first, with the member that each becomes. */
export function OwnerTable({ owners, people }: OwnerTableProps) {
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim().toLowerCase());
  const columns = useMemo(() => columnsWith(people), [people]);
  const found = owners.filter(({ name, email, id }) => `${name} ${email} ${id}`.toLowerCase().includes(wanted));
  return (
    <>
      <TextInput
        label="Find an owner"
        placeholder="Name or e-mail address"
        maw={320}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Announcement>{wanted !== "" && formatCount(found.length, "owner")}</Announcement>
      <Paper withBorder px="xs">
        <StackTable
          caption="Owners in Salesforce"
          columns={columns}
          rows={found.slice(0, MAX_ROWS)}
          rowKey={({ id }) => id}
        />
        {found.length === 0 && (
          <Text size="sm" c="dimmed" p="lg">
            No owner matches.
          </Text>
        )}
        {found.length > MAX_ROWS && (
          <Text size="sm" c="dimmed" p="sm">
            And {formatNumber(found.length - MAX_ROWS)} more. Search to see them.
          </Text>
        )}
      </Paper>
    </>
  );
}

function columnsWith(people: readonly Person[]): StackColumn<ListedOwner>[] {
  return [
    { key: "owner", header: "Owner in Salesforce", heading: true, cell: (owner) => <Owner owner={owner} /> },
    { key: "records", header: "Records", numeric: true, cell: ({ records }) => formatNumber(records) },
    { key: "comments", header: "Comments", numeric: true, cell: ({ comments }) => formatNumber(comments) },
    { key: "becomes", header: "Becomes", wide: true, cell: (owner) => <OwnerSelect owner={owner} people={people} /> },
  ];
}

function Owner({ owner: { id, kind, name, email, is_active: isActive } }: { owner: ListedOwner }) {
  return (
    <>
      <bdi>{name ?? id}</bdi>{" "}
      {kind === "queue" && (
        <Badge size="sm" color="gray">
          Queue
        </Badge>
      )}
      {isActive === false && (
        <Badge size="sm" color="gray">
          Inactive
        </Badge>
      )}
      {email !== null && (
        <Text component="div" size="xs" c="dimmed" fw={400}>
          {email}
        </Text>
      )}
    </>
  );
}

function OwnerSelect({ owner, people }: { owner: ListedOwner; people: readonly Person[] }) {
  const { draft, isLocked, change } = useEditing();
  const choice = choiceFor(draft, owner);
  // A member who was made for the user cannot sign in, and so is not among the people.
  const isListed = choice === "auto" || choice === "nobody" || people.some(({ id }) => id === choice);
  return (
    <NativeSelect
      size="xs"
      maw={340}
      aria-label={`${owner.name ?? owner.id} becomes`}
      disabled={isLocked}
      value={choice}
      onChange={({ currentTarget: { value } }) => change((now) => withOwner(now, owner, value))}
    >
      <option value="auto">{automaticWords(owner)}</option>
      <option value="nobody">Nobody</option>
      {!isListed && <option value={choice}>{owner.user ? `${owner.user.name} (disabled)` : "A removed member"}</option>}
      {people.map(({ id, name, email }) => (
        <option key={id} value={id}>
          {`${name} (${email})`}
        </option>
      ))}
    </NativeSelect>
  );
}

/** What happens without a choice, as far as it was counted without one. */
function automaticWords({ rule, user }: ListedOwner): string {
  if (rule === "email" && user) return `${user.name} (same e-mail address)`;
  if (rule === "fallback" && user) return `${user.name} (fallback owner)`;
  return rule === "nobody" ? "Nobody (no member has the address)" : "By e-mail address, or the fallback owner";
}
