import { Alert, Badge, Group, Paper, Stack, Tabs, Text, Title } from "@mantine/core";
import { useState } from "react";

import { fieldsInWords, OUTCOMES, SAMPLED_AS } from "@/components/migration/configure/preview/preview-words";
import { PreviewTable } from "@/components/migration/configure/preview/preview-table";
import classes from "@/components/migration/configure/preview/previewed-records.module.css";
import type { PreviewedRecord } from "@/lib/migration/preview/preview-schema";

/** The previewed records: a list of them, and one before and after. */
export function PreviewedRecords({ records }: { records: readonly PreviewedRecord[] }) {
  const [chosen, setChosen] = useState(records[0]?.ext_id ?? null);
  // Another preview has other records.
  const current = records.some(({ ext_id: id }) => id === chosen) ? chosen : (records[0]?.ext_id ?? null);
  if (current === null) return null;
  return (
    <Paper withBorder>
      <Tabs value={current} onChange={setChosen} variant="outline" keepMounted={false} p="md">
        <Tabs.List aria-label="Previewed records">
          {records.map(({ ext_id: id, name, outcome }) => (
            <Tabs.Tab
              key={id}
              value={id}
              rightSection={
                <Badge size="sm" color={OUTCOMES[outcome].color}>
                  {OUTCOMES[outcome].label}
                </Badge>
              }
            >
              <bdi className={classes.name}>{name ?? id}</bdi>
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {records.map((record) => (
          <Tabs.Panel key={record.ext_id} value={record.ext_id} pt="md">
            <BeforeAndAfter record={record} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Paper>
  );
}

/** One record, as it is in Salesforce and as it would be here. */
function BeforeAndAfter({ record }: { record: PreviewedRecord }) {
  const { ext_id: id, name, cause, sampled_as: as, fields, edited_here: isEdited, overwritten } = record;
  return (
    <Stack gap="sm">
      <div>
        <Title order={3}>
          <bdi>{name ?? id}</bdi>
        </Title>
        <Group gap="xs" mt={4}>
          <Text size="sm" c="dimmed" ff="monospace">
            {id}
          </Text>
          <Text size="sm" c="dimmed">
            {as.map((reason) => SAMPLED_AS[reason]).join(", ")}
          </Text>
        </Group>
      </div>
      {cause && (
        <Alert color={record.outcome === "failed" ? "rust" : "amber"} title={`It is ${OUTCOMES[record.outcome].words}`}>
          {cause.reason}
          {cause.field !== null && ` (${cause.field}${cause.value === null ? "" : `: ${cause.value}`})`}
        </Alert>
      )}
      {isEdited && overwritten.length > 0 && (
        <Alert color="amber" title="Somebody has edited this record here">
          A run would change {fieldsInWords(overwritten.map(({ field }) => field))}.
        </Alert>
      )}
      <PreviewTable record={record} />
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          The record has no values.
        </Text>
      )}
    </Stack>
  );
}
