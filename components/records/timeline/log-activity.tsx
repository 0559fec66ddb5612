import { Checkbox, NativeSelect, SimpleGrid, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";

import { faultsByField } from "@/components/api/problem";
import type { AnyRecord } from "@/components/records/record";
import { recordsChanged } from "@/components/records/records-changed";
import { valuesFrom } from "@/components/records/relations";
import classes from "@/components/records/timeline/log-activity.module.css";
import { DialogActions } from "@/components/ui/form/dialog-actions";
import { FormShell } from "@/components/ui/form/form-shell";
import { TimeInput } from "@/components/ui/form/time-input";
import { useApiForm } from "@/components/ui/form/use-api-form";
import { LeaveGuard } from "@/components/ui/leave/leave-guard";
import { takeFocus } from "@/components/ui/overlay/loading";
import { inWords } from "@/components/ui/text/format";
import { fromLocalTime } from "@/components/ui/text/time-zone";
import { ENTITIES } from "@/lib/records/schema/registry";

const TYPES = (ENTITIES.activities.fields.type.values ?? []).map((value) => ({ value, label: inWords(value) }));

const BLANK = {
  type: "call",
  subject: "",
  description: "",
  /** Null until the reader has touched the box. */
  is_done: null as boolean | null,
  due_date: "",
  start_at: "",
};

type Values = typeof BLANK;

/** Types that take place at a time. A task is due on a day, and a note has neither. */
const AT_A_TIME = new Set(["call", "event", "email"]);

/** The fields that only some types have. */
const TYPES_WITH: Partial<Record<string, ReadonlySet<string>>> = { due_date: new Set(["task"]), start_at: AT_A_TIME };

/** The fields that the form has for a type of activity. */
export function fieldsOf(type: string): string[] {
  return Object.keys(BLANK).filter((name) => TYPES_WITH[name]?.has(type) ?? true);
}

/** Whether something is typed that would be lost with the form. */
export function isBegun(values: Values): boolean {
  const typed = fieldsOf(values.type).filter((name) => name !== "type" && name !== "is_done");
  return typed.some((name) => values[name as keyof Values] !== "");
}

/** Whether the activity is done. Unless the reader says so, a task is not, nor is what lies ahead. */
export function isDone({ type, start_at: start, is_done: said }: Values): boolean {
  return said ?? (type !== "task" && !(AT_A_TIME.has(type) && isAhead(fromLocalTime(start))));
}

function isAhead(moment: string): boolean {
  return Date.parse(moment) > Date.now();
}

/**
 * When an activity takes place, is due or was completed. What is planned for a time is due on its day, as imported
 * events are. What is done was completed at its time; if it has none, or that lies ahead, the API says when.
 */
export function timesOf(values: Values) {
  const { type, due_date: due, start_at: start } = values;
  if (type === "task") return due && { due_date: due };
  if (!AT_A_TIME.has(type) || !start) return undefined;
  const moment = fromLocalTime(start);
  if (!isDone(values)) return { start_at: moment, due_date: start.slice(0, 10) };
  return { start_at: moment, ...(!isAhead(moment) && { completed_at: moment }) };
}

interface LogActivityProps {
  /** The field by which the activity refers to the record. */
  field: string;
  item: AnyRecord;
  onDone: () => void;
}

/** Logs a call, a meeting or a note on a record, or plans a task. */
export function LogActivity({ field, item, onDone }: LogActivityProps) {
  const queries = useQueryClient();
  const { form, mutation, shell } = useApiForm({
    initialValues: BLANK,
    faultsOf: (error, { type }) => faultsByField(error, fieldsOf(type)),
    send: (values, post) =>
      post<AnyRecord>("/activities", {
        type: values.type,
        subject: values.subject,
        ...(values.description.trim() && { description: values.description }),
        ...timesOf(values),
        status: isDone(values) ? "completed" : "not_started",
        ...valuesFrom("activities", field, item),
      }),
    onSent: async () => {
      await recordsChanged(queries);
      onDone();
    },
  });
  const fields = fieldsOf(form.values.type);
  return (
    <div className={classes.form}>
      <LeaveGuard isUnsaved={isBegun(form.values) && !mutation.isSuccess} what="The words of your activity" />
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
          <TextInput label="Subject" required autoComplete="off" {...form.getInputProps("subject")} />
        </SimpleGrid>
        {fields.includes("due_date") && <TextInput type="date" label="Due" {...form.getInputProps("due_date")} />}
        {fields.includes("start_at") && <TimeInput label="When" {...form.getInputProps("start_at")} />}
        <Textarea label="Notes" autosize minRows={2} maxRows={10} {...form.getInputProps("description")} />
        <Checkbox
          label="It is done"
          {...form.getInputProps("is_done", { type: "checkbox" })}
          checked={isDone(form.values)}
        />
      </FormShell>
    </div>
  );
}
