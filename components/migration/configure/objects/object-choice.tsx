import { Button, Checkbox, Group, NativeSelect, Paper, Text } from "@mantine/core";

import { choicesFor, withChoices } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import classes from "@/components/migration/configure/objects/object-choice.module.css";
import { usePlace } from "@/components/migration/configure/parts";
import { CompatibilityBadge } from "@/components/migration/report/findings";
import { RECORD_NAMES } from "@/components/records/record-names";
import { formatCount } from "@/components/ui/text/format";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { MAX_PHASE } from "@/lib/migration/objects/source-object-names";
import { type SourceObjectName, objectName, PART_OF } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { ObjectReport } from "@/lib/migration/report/report-schema";

interface ObjectChoiceProps {
  object: SourceObjectName;
  item: ObjectReport;
}

/** One object: whether it is migrated, in which phase, and the way to its fields. */
export function ObjectChoice({ object, item }: ObjectChoiceProps) {
  const { draft, isLocked, change } = useEditing();
  const { go } = usePlace();
  const choices = choicesFor(draft, object);
  const changed = Object.keys(choices.fields).length + Object.keys(choices.values).length;
  const warning = choices.selected ? warningFor(draft, object) : null;
  return (
    <Paper withBorder className={classes.object} data-selected={choices.selected || undefined}>
      <Group justify="space-between" gap="sm">
        <Checkbox
          checked={choices.selected}
          disabled={isLocked}
          onChange={({ currentTarget: { checked } }) =>
            change((now) => withChoices(now, object, { selected: checked }))
          }
          label={objectName(object)}
          description={descriptionOf(object, item)}
          classNames={{ label: classes.label }}
        />
        <Group gap="sm" className={classes.side}>
          {changed > 0 && (
            <Text size="sm" c="dimmed">
              {formatCount(changed, "change")}
            </Text>
          )}
          <CompatibilityBadge compatibility={item.compatibility} />
          <PhaseSelect object={object} isDisabled={isLocked || !choices.selected} />
          <Button
            variant="default"
            size="xs"
            disabled={!choices.selected}
            onClick={() => go({ part: "fields", object, show: "all" })}
            aria-label={`Fields of ${objectName(object)}`}
          >
            Fields
          </Button>
        </Group>
      </Group>
      {warning !== null && (
        <Text size="sm" mt="xs" className={classes.warning}>
          {warning}
        </Text>
      )}
    </Paper>
  );
}

const PHASES = Array.from({ length: MAX_PHASE }, (_, index) => index + 1);

/** A migration in phases runs some objects first, and the others later. */
function PhaseSelect({ object, isDisabled }: { object: SourceObjectName; isDisabled: boolean }) {
  const { draft, change } = useEditing();
  return (
    <NativeSelect
      size="xs"
      w={100}
      aria-label={`Phase of ${objectName(object)}`}
      disabled={isDisabled}
      value={choicesFor(draft, object).phase ?? 1}
      onChange={({ currentTarget: { value } }) => change((now) => withChoices(now, object, { phase: Number(value) }))}
      data={PHASES.map((phase) => ({ value: String(phase), label: `Phase ${phase}` }))}
    />
  );
}

function descriptionOf(object: SourceObjectName, { count }: ObjectReport): string {
  const records = count === null ? "Not counted" : formatCount(count, "record");
  return `${records}, to ${RECORD_NAMES[SOURCE_OBJECTS[object].resource].plural.toLowerCase()}`;
}

/** What the choices for other objects mean for this one. */
function warningFor(draft: Configuration, object: SourceObjectName): string | null {
  const parent = PART_OF[object]?.parent;
  if (parent === undefined) return null;
  const own = choicesFor(draft, object).phase ?? 1;
  const { selected, phase: theirs = 1 } = choicesFor(draft, parent);
  const name = objectName(parent).toLowerCase();
  if (!selected)
    return `These records belong to ${name}, which you did not select. Those whose case is not here yet will fail.`;
  return theirs > own ? `These records belong to ${name}, which come in a later phase. They fail until then.` : null;
}
