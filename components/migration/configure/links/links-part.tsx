import { Alert, NativeSelect, Paper, Stack } from "@mantine/core";
import { IconLink } from "@tabler/icons-react";

import { choicesFor, withChoices } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { PartHeading } from "@/components/migration/configure/part-heading";
import { SavedNote } from "@/components/migration/configure/saved-note";
import { useRelationships } from "@/components/migration/configure/use-dependent";
import { LinkName } from "@/components/migration/link-name";
import { EmptyList } from "@/components/ui/feedback/empty-list";
import { Loaded } from "@/components/ui/feedback/loaded";
import { type StackColumn, StackTable } from "@/components/ui/layout/stack-table";
import { formatCounted } from "@/components/ui/text/format";
import type { RelationshipChoice } from "@/lib/migration/configuration/configuration-schema";
import { objectName } from "@/lib/migration/objects/source-object-names";
import type { ListedRelationship } from "@/lib/migration/relationships/relationships-schema";

/** What becomes of records whose other record will not be here. */
export function LinksPart() {
  const { migration } = useEditing();
  const links = useRelationships(migration.migration_id);
  return (
    <Stack gap="lg">
      <PartHeading title="Links between records">
        A record can name another one that will not be here: it was deleted, is hidden from the Salesforce user, or you
        left it out. Say for each link what becomes of such records.
      </PartHeading>
      <SavedNote />
      <Loaded query={links} loading="Counting the links">
        {({ data, not_counted_because: because }) => (
          <Stack gap="sm">
            {because !== null && (
              <Alert color="amber" title="Not all links are counted">
                {because}
              </Alert>
            )}
            {data.length > 0 ? (
              <Paper withBorder px="xs">
                <StackTable
                  caption="Links between records"
                  columns={COLUMNS}
                  rows={data}
                  rowKey={({ object, field, target }) => `${object} ${field} ${target}`}
                  hasMany
                />
              </Paper>
            ) : (
              <EmptyList
                icon={IconLink}
                title="No links"
                description="No field of the selected objects names a record."
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

const COLUMNS: StackColumn<ListedRelationship>[] = [
  { key: "link", header: "Link", heading: true, cell: (link) => <LinkName link={link} /> },
  { key: "records", header: "Records", numeric: true, cell: ({ records }) => formatCounted(records) },
  { key: "missing", header: "Other record not here", numeric: true, cell: ({ missing }) => formatCounted(missing) },
  { key: "choice", header: "What becomes of those", wide: true, cell: (link) => <LinkSelect link={link} /> },
];

const WORDS: Record<RelationshipChoice, string> = {
  heal: "Link it as soon as the other record is here",
  keep_id: "Leave the link empty, keep the id",
  leave_out: "Leave the record out",
};

function LinkSelect({ link: { object, field, label, target, choices } }: { link: ListedRelationship }) {
  const { draft, isLocked, change } = useEditing();
  const chosen = choicesFor(draft, object).relationships ?? {};
  const choose = (value: string) => {
    const choice = choices.find((possible) => possible === value);
    if (!choice) return;
    change((now) => {
      const { [field]: _before, ...others } = choicesFor(now, object).relationships ?? {};
      // Without a choice, links heal.
      const relationships = choice === "heal" ? others : { ...others, [field]: choice };
      return withChoices(now, object, { relationships });
    });
  };
  return (
    <NativeSelect
      size="xs"
      maw={320}
      aria-label={`${objectName(object)} whose ${label} (${target}) is not here`}
      disabled={isLocked}
      value={chosen[field] ?? "heal"}
      onChange={(event) => choose(event.currentTarget.value)}
      data={choices.map((choice) => ({ value: choice, label: WORDS[choice] }))}
    />
  );
}
