import { Radio, Stack, Text } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconUsers } from "@tabler/icons-react";

import { customFieldLabels } from "@/components/records/fields/custom-fields";
import { fieldOf } from "@/components/records/fields/field-of";
import { customField, customInputOf } from "@/components/records/form/custom-inputs";
import type { Merge } from "@/components/records/form/merge-versions";
import type { FormValues } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import { RECORD_NAMES } from "@/components/records/record-names";
import { ReferenceName } from "@/components/records/reference-link";
import { FocusedAlert } from "@/components/ui/feedback/focused-alert";
import { fieldLabel, inWords } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What two people have made of a record. */
export interface Conflict extends Merge {
  mine: FormValues;
}

interface EditConflictProps {
  resource: ResourceName;
  item: AnyRecord;
  conflict: Conflict;
  form: UseFormReturnType<FormValues>;
}

/**
 * Says that somebody has changed the record meanwhile. What only they have changed is taken over; for what both have
 * changed, the reader chooses between the two values.
 */
export function EditConflict({ resource, item, conflict, form }: EditConflictProps) {
  const { taken, contested, mine, theirs } = conflict;
  const labelOf = (name: string) => inputLabel(resource, item, name);
  return (
    <FocusedAlert
      color="amber"
      role="alert"
      title={`This ${RECORD_NAMES[resource].singular.toLowerCase()} was changed meanwhile`}
      icon={<IconUsers aria-hidden />}
    >
      <Stack gap="sm">
        <Text size="sm">
          Your changes are not saved yet.
          {taken.length > 0 && ` Taken over from the other change: ${taken.map(labelOf).join(", ")}.`}
          {contested.length > 0 && " Choose for each of these fields, then save again."}
        </Text>
        {contested.map((name) => (
          <Radio.Group
            key={name}
            label={labelOf(name)}
            defaultValue="mine"
            onChange={(chosen) => form.setFieldValue(name, (chosen === "mine" ? mine : theirs)[name] ?? "")}
          >
            <Stack gap={6} mt={4}>
              <Radio value="mine" label={<Choice resource={resource} name={name} whose="Yours" value={mine[name]} />} />
              <Radio
                value="theirs"
                label={<Choice resource={resource} name={name} whose="Theirs" value={theirs[name]} />}
              />
            </Stack>
          </Radio.Group>
        ))}
      </Stack>
    </FocusedAlert>
  );
}

function inputLabel(resource: ResourceName, item: AnyRecord, name: string): string {
  const custom = customInputOf(name);
  return custom ? customFieldLabels(resource, item)(custom.name) : fieldLabel(name);
}

interface ChoiceProps {
  resource: ResourceName;
  name: string;
  whose: string;
  value: FormValues[string] | undefined;
}

function Choice({ resource, name, whose, value }: ChoiceProps) {
  return (
    <>
      {whose}: <bdi>{shown(resource, name, value)}</bdi>
    </>
  );
}

function shown(resource: ResourceName, name: string, value: FormValues[string] | undefined) {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (!value) return "(empty)";
  const custom = customInputOf(name);
  const field = custom ? customField(custom.kind) : fieldOf(resource, name);
  if (field?.references) return <ReferenceName target={field.references} id={value} />;
  return field?.kind === "enum" ? inWords(value) : value;
}
