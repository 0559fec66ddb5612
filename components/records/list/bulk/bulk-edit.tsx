import { Button, Group, NativeSelect, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { type SubmitEvent, useId, useState } from "react";

import { editMany } from "@/components/records/list/bulk/change-many";
import { FailureList } from "@/components/records/list/bulk/failure-list";
import { type BulkProps, notDone, useBulkChange } from "@/components/records/list/bulk/use-bulk-change";
import { FieldInput } from "@/components/records/form/field-input";
import { formFields, initialValues, type FormValues, offered, toJson } from "@/components/records/form/record-values";
import { formatRecords, RECORD_NAMES } from "@/components/records/record-names";
import { incompleteDates, showFaults } from "@/components/ui/form/show-faults";
import { Dialog, useHeldOpen } from "@/components/ui/overlay/dialog";
import { fieldLabel } from "@/components/ui/text/format";

interface BulkEditProps extends BulkProps {
  opened: boolean;
  onClose: () => void;
}

/** Gives one field of all selected rows the same value. */
export function BulkEdit({ opened, onClose, ...props }: BulkEditProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={`Edit ${RECORD_NAMES[props.resource].plural.toLowerCase()}`}>
      <EditForm {...props} onClose={onClose} />
    </Dialog>
  );
}

function EditForm({ resource, targets, onClear, onClose }: BulkProps & { onClose: () => void }) {
  const id = useId();
  const fields = formFields(resource);
  const [name, setName] = useState("");
  const field = fields.find(([each]) => each === name)?.[1];
  const form = useForm<FormValues>({ initialValues: initialValues(resource, {}) });
  const change = useBulkChange(resource, (changed, failures) => {
    if (changed.length > 0) notifications.show({ message: `${formatRecords(resource, changed.length)} changed` });
    if (failures.length > 0) return;
    onClear();
    onClose();
  });
  useHeldOpen(change.isPending, form.isDirty());
  const value = field && toJson(field, form.values[name]);
  const choose = (chosen: string) => {
    form.clearErrors();
    setName(chosen);
  };
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!field) return;
    const incomplete = incompleteDates(id);
    if (incomplete) return showFaults(form, id, incomplete);
    form.clearErrors();
    change.mutate({ targets, run: (onProgress) => editMany(resource, targets, { [name]: value }, onProgress) });
  };
  const what = formatRecords(resource, targets.length);
  return (
    <form id={id} onSubmit={submit} noValidate>
      <Stack>
        {change.failures.length > 0 && (
          <FailureList
            title={notDone(resource, change.failures.length, change.count, "changed")}
            failures={change.failures}
          />
        )}
        <FieldChoice names={fields.map(([each]) => each)} value={name} onChange={choose} />
        {field && <FieldInput key={name} name={name} field={offered(name, field)} form={form} />}
        <Effect what={what} count={targets.length} canClear={field?.nullable} />
        <Actions
          what={what}
          cleared={value === null ? fieldLabel(name) : null}
          disabled={!field}
          loading={change.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function Effect({ what, count, canClear = false }: { what: string; count: number; canClear?: boolean | undefined }) {
  return (
    <Text size="sm" c="dimmed">
      {count === 1 ? `${what} gets this value` : `All ${what} get the same value`}
      {canClear ? ". Leave it empty to clear the field." : "."}
    </Text>
  );
}

interface FieldChoiceProps {
  names: readonly string[];
  value: string;
  onChange: (name: string) => void;
}

/** None is chosen at first: nobody changes a field of many records that they have not named. */
function FieldChoice({ names, value, onChange }: FieldChoiceProps) {
  return (
    <NativeSelect
      label="Field"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[
        { value: "", label: "Choose a field" },
        ...names.map((name) => ({ value: name, label: fieldLabel(name) })),
      ]}
      data-autofocus
    />
  );
}

interface ActionsProps {
  what: string;
  /** The name of the field, if its value is empty. */
  cleared: string | null;
  disabled: boolean;
  loading: boolean;
  onCancel: () => void;
}

function Actions({ what, cleared, disabled, loading, onCancel }: ActionsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" disabled={loading} onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" {...(cleared !== null && { color: "rust" })} disabled={disabled} loading={loading}>
        {cleared === null ? `Change ${what}` : `Clear ${cleared} of ${what}`}
      </Button>
    </Group>
  );
}
