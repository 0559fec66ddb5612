import { Paper, SimpleGrid, Text, Title } from "@mantine/core";

import { type Bar, BarList } from "@/components/migration/report/bar-list";
import { formatNumber } from "@/components/ui/text/format";
import { isSelectable, objectLabel } from "@/lib/migration/objects/source-object-names";
import type { ObjectReport } from "@/lib/migration/report/report-schema";

/** Older years are one bar. */
const MAX_YEARS = 10;

/** How many records there are, by object and by the year of their creation. */
export function Volume({ inventory }: { inventory: readonly ObjectReport[] }) {
  const imported = inventory.filter(({ status, count }) => isSelectable(status) && count !== null && count > 0);
  const years = byYear(imported);
  if (imported.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 1, md: years.length > 0 ? 2 : 1 }} component="section">
      <Chart
        title="Records by object"
        bars={toBars(imported.map((item) => [objectLabel(item), item.count ?? 0] as const))}
      />
      {years.length > 0 && (
        <Chart title="Records by year of creation" bars={toBars(years)} note={withoutYears(imported)} />
      )}
    </SimpleGrid>
  );
}

function Chart({ title, bars, note }: { title: string; bars: readonly Bar[]; note?: string | null }) {
  return (
    <Paper withBorder p={{ base: "md", sm: "lg" }}>
      <Title order={2} mb="md">
        {title}
      </Title>
      <BarList bars={bars} />
      {note && (
        <Text size="sm" c="dimmed" mt="md">
          {note}
        </Text>
      )}
    </Paper>
  );
}

type Amount = readonly [label: string, records: number];

function toBars(amounts: readonly Amount[]): Bar[] {
  const most = Math.max(...amounts.map(([, records]) => records), 1);
  return amounts.map(([label, records]) => ({
    key: label,
    label,
    value: formatNumber(records),
    length: records / most,
  }));
}

/** Which objects are in no bar of a year. */
function withoutYears(inventory: readonly ObjectReport[]): string | null {
  const names = inventory.filter(({ created_by_year: years }) => !years).map(objectLabel);
  if (names.length === 0) return null;
  return `Without ${new Intl.ListFormat("en").format(names)}, which could not be counted by year.`;
}

/** All objects together, the newest year first. Objects that could not be counted by year are left out. */
function byYear(inventory: readonly ObjectReport[]): Amount[] {
  const records = new Map<number, number>();
  for (const { created_by_year: years } of inventory)
    for (const { year, records: count } of years ?? []) records.set(year, (records.get(year) ?? 0) + count);
  const newest = [...records].toSorted(([one], [other]) => other - one);
  const older = newest.slice(MAX_YEARS - 1);
  const [first] = older;
  if (older.length <= 1 || !first) return newest.map(([year, count]) => [String(year), count]);
  const sum = older.reduce((total, [, count]) => total + count, 0);
  return [
    ...newest.slice(0, MAX_YEARS - 1).map(([year, count]): Amount => [String(year), count]),
    [`${first[0]} and before`, sum],
  ];
}
