import { Group, NativeSelect, Paper, Radio, Stack, Text, TextInput, Title } from "@mantine/core";

import { withChoices } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { policyCounts } from "@/components/migration/configure/duplicates/policy-counts";
import { useSearches } from "@/components/migration/configure/duplicates/use-search";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

const ACTIONS = [
  { value: "update", label: "Merge them into the one that stays", description: "Its empty fields get their values." },
  { value: "skip", label: "Skip them", description: "The one that stays is left as it is." },
  { value: "create", label: "Import all of them", description: "The duplicates are only listed." },
] as const;

interface DuplicateActionsProps {
  object: SourceObjectName;
  duplicates: DuplicateChoices;
}

/** What becomes of duplicates, with what each choice would do with those that the last search has found. */
export function DuplicateActions({ object, duplicates }: DuplicateActionsProps) {
  const { migration, isLocked, change } = useEditing();
  const searches = useSearches(migration.migration_id);
  const counts = policyCounts(searches.data?.find((search) => search.object === object));
  const set = (changed: Partial<DuplicateChoices>) =>
    change((now) => withChoices(now, object, { duplicates: { ...duplicates, ...changed } }));
  return (
    <Paper withBorder p="lg">
      <Title order={3} mb="sm">
        What becomes of duplicates
      </Title>
      <Stack gap="md">
        <Radio.Group
          aria-label="What becomes of duplicates"
          value={duplicates.action}
          onChange={(value) => set({ action: value })}
        >
          <Stack gap="sm">
            {ACTIONS.map((action) => (
              <Radio
                key={action.value}
                value={action.value}
                label={action.label}
                description={<Description text={action.description} count={counts?.[action.value]} />}
                disabled={isLocked}
              />
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
            maxLength={3}
            onChange={({ currentTarget: { value } }) => set({ calling_code: callingCode(value) })}
          />
        </Group>
      </Stack>
    </Paper>
  );
}

function Description({ text, count }: { text: string; count: string | undefined }) {
  return (
    <>
      {text}
      {count !== undefined && (
        <Text span inherit fw={600} display="block">
          {count}
        </Text>
      )}
    </>
  );
}

/** One to three digits, as international numbers begin. */
function callingCode(typed: string): string | undefined {
  return typed.replaceAll(/\D/g, "").replace(/^0+/, "").slice(0, 3) || undefined;
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
  set: (changed: Partial<DuplicateChoices>) => void;
}

function Choice({ label, name, duplicates, isLocked, set }: ChoiceProps) {
  return (
    <NativeSelect
      label={label}
      disabled={isLocked}
      value={duplicates[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      data={CHOICES[name]}
    />
  );
}
