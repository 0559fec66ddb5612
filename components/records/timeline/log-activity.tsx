import { Checkbox, NativeSelect, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { faultsByField } from "@/components/api/problem";
import type { AnyRecord } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import classes from "@/components/records/timeline/log-activity.module.css";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { takeFocus } from "@/components/ui/overlay/loading";
import { inWords } from "@/components/ui/text/format";
import { ENTITIES } from "@/lib/records/schema/registry";

const TYPES = (ENTITIES.activities.fields.type.values ?? []).map((value) => ({ value, label: inWords(value) }));

const FIELDS = ["type", "subject", "description", "is_done"];

const BLANK = { type: "call", subject: "", description: "", is_done: true };

interface LogActivityProps {
  /** The field by which the activity refers to the record. */
  field: string;
  id: string;
  onDone: () => void;
}

/** Logs a call, a meeting or a note on a record, or plans a task. */
export function LogActivity({ field, id, onDone }: LogActivityProps) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: BLANK,
    faultsOf: (error) => faultsByField(error, FIELDS),
    send: ({ type, subject, description, is_done: isDone }, post) =>
      post<AnyRecord>("/activities", {
        type,
        subject,
        ...(description.trim() && { description }),
        // The API adds when it was completed.
        status: isDone ? "completed" : "not_started",
        [field]: id,
      }),
    onSent: async () => {
      await recordsChanged(queries);
      onDone();
    },
  });
  const isBegun = form.values.subject !== "" || form.values.description !== "";
  return (
    <div className={classes.form}>
      <LeaveGuard isUnsaved={isBegun && !mutation.isSuccess} what="The words of your activity" />
      <FormShell
        {...shell}
        actions={
          <DialogActions isPending={mutation.isPending} onCancel={onDone}>
            Log it
          </DialogActions>
        }
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NativeSelect label="Type" data={TYPES} ref={takeFocus} {...form.getInputProps("type")} />
          <TextInput label="Subject" withAsterisk autoComplete="off" {...form.getInputProps("subject")} />
        </SimpleGrid>
        <Textarea label="Notes" autosize minRows={2} maxRows={10} {...form.getInputProps("description")} />
        <Checkbox label="It is done" {...form.getInputProps("is_done", { type: "checkbox" })} />
      </FormShell>
    </div>
  );
}
