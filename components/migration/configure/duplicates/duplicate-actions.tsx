import { Group, NativeSelect, Paper, Radio, Stack, TextInput, Title } from "@mantine/core";

import { withChoices } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { type DuplicateChoices, duplicates as schema } from "@/lib/migration/configuration/duplicate-rules";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";

const ACTIONS = [
  { value: "update", label: "Merge them into the one that stays", description: "Its empty fields get their values." },
  { value: "skip", label: "Skip them", description: "The one that stays is left as it is." },
  { value: "create", label: "Import all of them", description: "The duplicates are only listed." },
] as const;

interface DuplicateActionsProps {
  object: MigratedObjectName;
  duplicates: DuplicateChoices;
}

/** What becomes of duplicates. */
export function DuplicateActions({ object, duplicates }: DuplicateActionsProps) {
  const { isLocked, change } = useEditing();
  /** What is no possible choice, such as a calling code that is not complete yet, changes nothing. */
  const set = (name: keyof DuplicateChoices, value: string | undefined) => {
    const next = schema.safeParse({ ...duplicates, [name]: value });
    if (next.success) change((now) => withChoices(now, object, { duplicates: next.data }));
  };
  return (
    <Paper withBorder p="lg">
      <Title order={3} mb="sm">
        What becomes of duplicates
      </Title>
      <Stack gap="md">
        <Radio.Group
          aria-label="What becomes of duplicates"
          value={duplicates.action}
          onChange={(value) => set("action", value)}
        >
          <Stack gap="sm">
            {ACTIONS.map((action) => (
              <Radio key={action.value} {...action} disabled={isLocked} />
            ))}
          </Stack>
        </Radio.Group>
        <Group gap="lg" align="flex-end">
          <Choice label="Compare" name="compare_with" {...{ duplicates, isLocked, set }} />
          <Choice label="The one that stays" name="survivor" {...{ duplicates, isLocked, set }} />
          <Choice label="Whose value wins" name="wins" {...{ duplicates, isLocked, set }} />
          <TextInput
            label="Calling code"
            placeholder="Such as 49"
            w={130}
            inputMode="numeric"
            disabled={isLocked}
            value={duplicates.calling_code ?? ""}
            onChange={(event) => set("calling_code", event.currentTarget.value.replace(/\D/g, "") || undefined)}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

const CHOICES = {
  compare_with: [
    { value: "everything", label: "With Salesforce and with what is here" },
    { value: "source", label: "Within Salesforce only" },
  ],
  survivor: [
    { value: "oldest", label: "The oldest" },
    { value: "newest", label: "The newest" },
    { value: "last_changed", label: "The last one changed" },
  ],
  wins: [
    { value: "source", label: "That of Salesforce" },
    { value: "ours", label: "That of the record here" },
    { value: "newest", label: "The newest" },
    { value: "longest", label: "The longest" },
  ],
};

interface ChoiceProps {
  label: string;
  name: keyof typeof CHOICES;
  duplicates: DuplicateChoices;
  isLocked: boolean;
  set: (name: keyof typeof CHOICES, value: string) => void;
}

function Choice({ label, name, duplicates, isLocked, set }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      disabled={isLocked}
      value={duplicates[name]}
      onChange={(event) => set(name, event.currentTarget.value)}
      data={CHOICES[name]}
    />
  );
}
