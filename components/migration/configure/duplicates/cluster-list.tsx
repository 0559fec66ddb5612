import { Badge, Group, Paper, Stack, Text } from "@mantine/core";

import { useClusters } from "@/components/migration/configure/duplicates/use-search";
import { Loaded } from "@/components/ui/feedback/loaded";
import { LoadMore } from "@/components/ui/layout/load-more";
import { fieldLabel, formatNumber } from "@/components/ui/text/format";
import type { Cluster } from "@/lib/migration/duplicates/duplicates-schema";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import classes from "@/components/migration/configure/duplicates/cluster-list.module.css";

interface ClusterListProps {
  id: string;
  object: SourceObjectName;
  /** When the search ended. */
  since: string;
}

/** The clusters that a search has found, each with the record that stays. */
export function ClusterList({ id, object, since }: ClusterListProps) {
  const clusters = useClusters(id, object, since);
  return (
    <Loaded query={clusters} loading="Loading the duplicates">
      {(data) => (
        <Stack gap="sm">
          {data.map((cluster) => (
            <ClusterCard key={cluster.id} cluster={cluster} />
          ))}
          <LoadMore query={clusters} />
        </Stack>
      )}
    </Loaded>
  );
}

function ClusterCard({ cluster: { survivor, duplicates, count } }: { cluster: Cluster }) {
  return (
    <Paper withBorder p="md">
      <ul className={classes.records}>
        <ClusterRecord record={survivor} stays />
        {duplicates.map((record) => (
          <ClusterRecord key={record.ext_id ?? record.record_id} record={record} />
        ))}
      </ul>
      {count > duplicates.length && (
        <Text size="xs" c="dimmed" mt="xs">
          and {formatNumber(count - duplicates.length)} more
        </Text>
      )}
    </Paper>
  );
}

function ClusterRecord({ record, stays = false }: { record: Cluster["survivor"]; stays?: boolean }) {
  const { ext_id: extId, rule, values } = record;
  const shown = Object.entries(values).filter(([, value]) => value !== null && value !== "");
  return (
    <li>
      <Group gap="xs">
        <Text size="sm" fw={600} span>
          <bdi>{nameOf(values) || extId || "A record that is here"}</bdi>
        </Text>
        {stays && (
          <Badge size="sm" color="pine">
            Stays
          </Badge>
        )}
        {extId === null && (
          <Badge size="sm" color="sky">
            Here already
          </Badge>
        )}
        {!stays && rule !== null && (
          <Text size="xs" c="dimmed" span>
            by rule {rule + 1}
          </Text>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        {shown.map(([field, value]) => `${fieldLabel(field)}: ${textOf(value)}`).join(" · ")}
      </Text>
    </li>
  );
}

function nameOf({ name, first_name: first, last_name: last, subject }: Record<string, unknown>): string {
  return textOf(name) || [first, last].map(textOf).filter(Boolean).join(" ") || textOf(subject);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
