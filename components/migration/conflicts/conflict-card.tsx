import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { useState } from "react";

import classes from "@/components/migration/conflicts/conflict-card.module.css";
import { type Choices, conflictColumns } from "@/components/migration/conflicts/conflict-columns";
import { shorten } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { once } from "@/components/ui/form/once";
import { StackTable } from "@/components/ui/layout/stack-table";
import { TextLink } from "@/components/ui/text/links";
import type { Conflict, Side } from "@/lib/migration/conflicts/conflict-schema";

interface ConflictCardProps {
  conflict: Conflict;
  isPending: boolean;
  /** Fields that the choices leave out stay as they are here. */
  onDecide: (choices: Choices) => void;
}

/** Both versions of a record side by side, with a choice for each field. */
export function ConflictCard({ conflict, isPending, onDecide }: ConflictCardProps) {
  const { resource, record_id: id, ext_id: source, fields } = conflict;
  const [choices, setChoices] = useState<Choices>({});
  const name = shorten(conflict.name || source);
  const chooseAll = (side: Side) => setChoices(Object.fromEntries(fields.map(({ field }) => [field, side])));
  return (
    <Paper withBorder p="md" className={classes.card}>
      <Title order={3} mb="sm">
        <TextLink href={`/${resource}/${id}`} inherit>
          <bdi>{name}</bdi>
        </TextLink>{" "}
        <Text component="span" size="sm" c="dimmed" fw={400}>
          {RECORD_NAMES[resource].singular}
        </Text>
      </Title>
      <StackTable
        caption={`Both versions of ${name}`}
        columns={conflictColumns(name, choices, setChoices)}
        rows={fields}
        rowKey={({ field }) => field}
      />
      <Group justify="flex-end" gap="xs" mt="sm">
        <Button variant="subtle" size="xs" onClick={() => chooseAll("ours")}>
          All from here
        </Button>
        <Button variant="subtle" size="xs" onClick={() => chooseAll("source")}>
          All from Salesforce
        </Button>
        <Button
          size="xs"
          disabled={isPending}
          aria-label={`Decide ${name}`}
          // The next card comes to stand here, and would get the second click of a double click.
          onClick={once(() => onDecide(choices))}
        >
          Decide
        </Button>
      </Group>
    </Paper>
  );
}
