import { Button, Checkbox, Collapse, Group, Paper, Text } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";

import { formatCount } from "@/components/ui/text/format";
import { choicesFor, withSelection } from "@/components/migration/configure/draft";
import { FieldTable } from "@/components/migration/configure/field-table";
import classes from "@/components/migration/configure/object-choice.module.css";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { objectName, PART_OF, type MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { ObjectReport } from "@/lib/migration/report/report-schema";
import { CompatibilityBadge } from "@/components/migration/report/findings";
import { RECORD_NAMES } from "@/components/records/record-names";

interface ObjectChoiceProps {
  object: MigratedObjectName;
  report: ObjectReport;
  draft: Configuration;
  isLocked: boolean;
  isOpen: boolean;
  onToggle: () => void;
  onChange: (draft: Configuration) => void;
}

/** One object: whether it is migrated, and, when opened, the targets of its fields. */
export function ObjectChoice({ object, report, draft, isLocked, isOpen, onToggle, onChange }: ObjectChoiceProps) {
  const choices = choicesFor(draft, object);
  const changed = Object.keys(choices.fields).length + Object.keys(choices.values).length;
  const parent = PART_OF[object]?.parent;
  const lacksParent = choices.selected && parent !== undefined && !choicesFor(draft, parent).selected;
  const panel = `fields-of-${object}`;
  return (
    <Paper withBorder className={classes.object} data-selected={choices.selected || undefined}>
      <Group justify="space-between" gap="sm" className={classes.head}>
        <Checkbox
          checked={choices.selected}
          disabled={isLocked}
          onChange={(event) => onChange(withSelection(draft, object, event.currentTarget.checked))}
          label={objectName(object)}
          description={descriptionOf(object, report)}
          classNames={{ label: classes.label }}
        />
        <Group gap="sm" className={classes.side}>
          {changed > 0 && (
            <Text size="sm" c="dimmed">
              {formatCount(changed, "change")}
            </Text>
          )}
          <CompatibilityBadge compatibility={report.compatibility} />
          <FieldsButton
            object={object}
            panel={panel}
            isOpen={isOpen}
            isSelected={choices.selected}
            onToggle={onToggle}
          />
        </Group>
      </Group>
      {lacksParent && (
        <Text size="sm" className={classes.warning}>
          These records belong to {objectName(parent).toLowerCase()}, which you did not select. Those whose case is not
          here yet will fail.
        </Text>
      )}
      <Collapse expanded={isOpen && choices.selected} id={panel} transitionDuration={150}>
        {isOpen && <FieldTable object={object} report={report} draft={draft} isLocked={isLocked} onChange={onChange} />}
      </Collapse>
    </Paper>
  );
}

interface FieldsButtonProps {
  object: MigratedObjectName;
  /** The id of the panel that it opens. */
  panel: string;
  isOpen: boolean;
  isSelected: boolean;
  onToggle: () => void;
}

function FieldsButton({ object, panel, isOpen, isSelected, onToggle }: FieldsButtonProps) {
  return (
    <Button
      variant="default"
      size="xs"
      disabled={!isSelected}
      onClick={onToggle}
      aria-expanded={isOpen && isSelected}
      aria-controls={panel}
      aria-label={`Fields of ${objectName(object)}`}
      rightSection={isOpen ? <IconChevronUp size={14} aria-hidden /> : <IconChevronDown size={14} aria-hidden />}
    >
      Fields
    </Button>
  );
}

function descriptionOf(object: MigratedObjectName, { count }: ObjectReport): string {
  const records = count === null ? "Not counted" : formatCount(count, "record");
  return `${records}, to ${RECORD_NAMES[SOURCE_OBJECTS[object].resource].plural.toLowerCase()}`;
}
