import { ActionIcon, Button, Group, MultiSelect, Paper, Stack, Text, Title } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { type Ref, useMemo } from "react";

import { withChoices } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { useComparableFields } from "@/components/migration/configure/duplicates/use-comparable-fields";
import { fieldLabel } from "@/components/ui/text/format";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import {
  type DuplicateChoices,
  type DuplicateRule,
  MAX_CRITERIA,
  MAX_RULES,
} from "@/lib/migration/configuration/duplicate-rules";
import { type SourceObjectName, objectName } from "@/lib/migration/objects/source-object-names";

type Criterion = DuplicateRule["match"][number];

interface DuplicateRulesProps {
  object: SourceObjectName;
  duplicates: DuplicateChoices;
  /** The title's element, which takes the focus from the button that has made the rules. */
  titleRef: Ref<HTMLHeadingElement>;
}

/** The rules by which records are the same. Records match by a rule if all of its fields agree. */
export function DuplicateRules({ object, duplicates, titleRef }: DuplicateRulesProps) {
  const { isLocked, change } = useEditing();
  const { rules } = duplicates;
  const setRules = (next: DuplicateRule[]) =>
    change((now) => withChoices(now, object, { duplicates: next.length ? { ...duplicates, rules: next } : undefined }));
  const comparable = useComparableFields(object);
  const options = useMemo(() => optionsOf(comparable, rules), [comparable, rules]);
  // Rules have no name of their own. While one is changed, its row stays, with the focus in it.
  const placed = rules.map((rule, index) => ({ rule, index, place: `rule ${index + 1}` }));
  return (
    <Paper withBorder p="lg">
      <Title order={3} ref={titleRef} tabIndex={-1}>
        {objectName(object)} are the same if
      </Title>
      <Stack gap="sm" mt="sm" component="ol" p={0} style={{ listStyle: "none" }}>
        {placed.map(({ rule, index, place }) => (
          <Group key={place} component="li" gap="sm" align="flex-end" wrap="nowrap">
            <MultiSelect
              label={index === 0 ? "All of these agree" : "Or all of these agree"}
              flex={1}
              searchable
              data={options}
              maxValues={MAX_CRITERIA}
              disabled={isLocked}
              placeholder={rule.match.length === 0 ? "Choose fields" : ""}
              value={rule.match.map(keyOf)}
              onChange={(keys) => setRules(withRule(rules, index, keys))}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={`Remove ${place}`}
              disabled={isLocked}
              onClick={() => setRules(rules.filter((_, other) => other !== index))}
            >
              <IconTrash size={16} stroke={1.6} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Stack>
      <NewRule comparable={comparable} rules={rules} onAdd={setRules} />
      <Text size="xs" c="dimmed" mt="sm">
        E-mail addresses, phone numbers and websites are compared by what they mean: case, spaces and country codes do
        not count.
      </Text>
    </Paper>
  );
}

interface NewRuleProps {
  comparable: readonly string[];
  rules: readonly DuplicateRule[];
  onAdd: (rules: DuplicateRule[]) => void;
}

/** Adds a rule by the first field that no rule has alone: a rule without a field would say nothing. */
function NewRule({ comparable, rules, onAdd }: NewRuleProps) {
  const { isLocked } = useEditing();
  const alone = new Set(rules.flatMap(({ match }) => (match.length === 1 ? (match[0]?.fields ?? []) : [])));
  const free = comparable.find((name) => !alone.has(name));
  return (
    <Button
      mt="sm"
      variant="default"
      size="xs"
      leftSection={<IconPlus size={14} aria-hidden />}
      disabled={isLocked || rules.length >= MAX_RULES || free === undefined}
      onClick={() => free !== undefined && onAdd([...rules, { match: [{ fields: [free] }] }])}
    >
      Add a rule
    </Button>
  );
}

/** What can be compared, and what the rules compare already: a field may have been mapped elsewhere since. */
function optionsOf(comparable: readonly string[], rules: readonly DuplicateRule[]) {
  const own = comparable.map((name): Criterion => ({ fields: [name] }));
  const used = rules.flatMap(({ match }) => match);
  const byKey = new Map([...own, ...used].map((criterion) => [keyOf(criterion), criterion]));
  return [...byKey].map(([value, criterion]) => ({ value, label: criterionWords(criterion) }));
}

/** A criterion as the value of an option: it can name several fields, and how they are compared. */
function keyOf(criterion: Criterion): string {
  return JSON.stringify([criterion.fields, criterion.as ?? null]);
}

function criterionOf(key: string): Criterion {
  const [fields, as] = JSON.parse(key) as [Criterion["fields"], Criterion["as"] | null];
  return { fields, ...(as && { as }) };
}

function criterionWords({ fields, as }: Criterion): string {
  const names = fields.map((name) =>
    name.startsWith(CUSTOM_PREFIX) ? name.slice(CUSTOM_PREFIX.length) : fieldLabel(name),
  );
  return names.join(" or ") + (as ? ` (as ${as})` : "");
}

/** A rule without criteria is removed. */
function withRule(rules: readonly DuplicateRule[], index: number, keys: readonly string[]): DuplicateRule[] {
  return rules.flatMap((rule, place) => {
    if (place !== index) return rule;
    return keys.length > 0 ? { match: keys.map(criterionOf) } : [];
  });
}
