import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useIntersection } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from "react";

import { choicesFor } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { filterFields } from "@/components/migration/configure/fields/filter-fields";
import { mappingColumns } from "@/components/migration/configure/fields/mapping-columns";
import { FIELD_FILTERS, usePlace } from "@/components/migration/configure/parts";
import { Announcement } from "@/components/ui/feedback/announcement";
import { StackTable } from "@/components/ui/layout/stack-table";
import { formatCount, formatNumber } from "@/components/ui/text/format";
import { isMappable } from "@/lib/migration/configuration/mapping-rules";
import { type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";
import type { FieldReport, ObjectReport } from "@/lib/migration/report/report-schema";

interface MappingTableProps {
  object: SourceObjectName;
  report: ObjectReport;
}

/** How many rows are shown at first, and with each step down: as many as a tall screen has room for. */
const ROWS = 40;

/**
 * The fields of one object whose target can be chosen. Hundreds of them answer each key at once: the rows follow the
 * search when there is time, those that stay are not rendered again, and those further down come when they are reached.
 */
export function MappingTable({ object, report }: MappingTableProps) {
  const { draft } = useEditing();
  const { place } = usePlace();
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(ROWS);
  const wanted = useDeferredValue(search);
  const { fields: chosen, values } = choicesFor(draft, object);
  const mappable = useMemo(() => report.fields.filter((field) => isMappable(object, field)), [object, report]);
  const columns = useMemo(() => mappingColumns(object), [object]);
  const rows: FieldReport[] = useMemo(
    () =>
      filterFields(mappable, { fields: chosen, values }, object, {
        show: place.show,
        search: wanted,
      }),
    [mappable, chosen, values, object, place.show, wanted],
  );
  const name = objectName(object);
  const find = (text: string) => {
    setSearch(text);
    setLimit(ROWS);
  };
  return (
    <Stack gap="sm">
      <FieldSearch object={object} search={search} count={countOf(rows.length, mappable.length)} onSearch={find} />
      <Announcement>{(wanted !== "" || place.show !== "all") && countOf(rows.length, mappable.length)}</Announcement>
      <Paper withBorder px="xs">
        <StackTable
          caption={`Fields of ${name}`}
          columns={columns}
          rows={rows.length > limit ? rows.slice(0, limit) : rows}
          rowKey={(field) => field.source}
          hasMany="most"
        />
        {rows.length === 0 && (
          <Text size="sm" c="dimmed" p="lg">
            No field matches. Search for another word, or show all fields.
          </Text>
        )}
        {rows.length > limit && (
          <MoreRows key={limit} count={rows.length - limit} onReached={() => setLimit(limit + ROWS)} />
        )}
      </Paper>
      <OtherFields count={report.fields.length - mappable.length} />
    </Stack>
  );
}

/** The report lists them too: its numbers are larger by these. */
function OtherFields({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {count === 1
        ? "1 more field, such as the id, is not"
        : `${formatNumber(count)} more fields, such as the id, are not`}{" "}
      listed: there is nothing to choose for them. The report says where they go.
    </Text>
  );
}

interface FieldSearchProps {
  object: SourceObjectName;
  search: string;
  /** How many fields match, in words. */
  count: string;
  onSearch: (text: string) => void;
}

/** Searches and filters the fields. */
function FieldSearch({ object, search, count, onSearch }: FieldSearchProps) {
  const { place, go } = usePlace();
  const show = (value: string) => {
    const filter = FIELD_FILTERS.find(({ name }) => name === value);
    if (filter) go({ object, show: filter.name });
  };
  return (
    <Group gap="sm" align="flex-end">
      <TextInput
        label={`Find a field of ${objectName(object)}`}
        placeholder="Label, API name or target"
        miw={280}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => onSearch(event.currentTarget.value)}
      />
      <NativeSelect
        label="Show"
        value={place.show}
        onChange={(event) => show(event.currentTarget.value)}
        data={FIELD_FILTERS.map(({ name, label }) => ({ value: name, label }))}
      />
      <Text size="sm" c="dimmed" pb={8}>
        {count}
      </Text>
    </Group>
  );
}

function countOf(found: number, all: number): string {
  return found === all ? formatCount(all, "field") : `${formatNumber(found)} of ${formatCount(all, "field")}`;
}

interface MoreRowsProps {
  /** How many rows are not shown yet. */
  count: number;
  onReached: () => void;
}

/** Stands below a long table, and asks for more rows before it comes into view, or when it is pressed. */
function MoreRows({ count, onReached }: MoreRowsProps) {
  const { ref, entry } = useIntersection({ rootMargin: "600px" });
  const isNear = entry?.isIntersecting === true;
  const reached = useEffectEvent(onReached);
  useEffect(() => {
    if (isNear) reached();
  }, [isNear]);
  return (
    <Group justify="center" p="sm" ref={ref}>
      <Button variant="subtle" size="xs" onClick={onReached}>
        Show {formatCount(count, "more field")}
      </Button>
    </Group>
  );
}
