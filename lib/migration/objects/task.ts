import { RELATION_COLUMNS, RELATION_FIELDS, relateActivity } from "@/lib/migration/objects/activity-relations";
import { exact, likely, type SourceObject } from "@/lib/migration/objects/declaration";
import { recurrenceMaster } from "@/lib/migration/objects/recurrence";

export const task: SourceObject = {
  name: "Task",
  label: "task",
  resource: "activities",
  fields: {
    Subject: exact("subject"),
    Description: exact("description"),
    TaskSubtype: likely("type", "Task, call or e-mail; another kind is kept as a custom field and becomes a task."),
    Status: likely("status", "Matched value by value; a value that reads differently is kept as a custom field as well."),
    Priority: likely("priority", "Matched value by value; a value that reads differently is kept as a custom field as well."),
    ActivityDate: exact("due_date"),
    CompletedDateTime: exact("completed_at"),
  },
  ruled: {
    ...RELATION_FIELDS,
    CallDurationInSeconds: likely("duration_minutes", "Rounded to minutes; the seconds are kept as a custom field."),
  },
  placeholders: { subject: "(no subject)", type: "task" },
  sets: [...RELATION_COLUMNS, "duration_minutes"],
  leftOut: [],
  skip: recurrenceMaster,
  refine(record, draft) {
    relateActivity(record, draft);
    draft.columns.status ??= record.IsClosed === true ? "completed" : "not_started";
    const seconds = record.CallDurationInSeconds;
    if (typeof seconds !== "number") return;
    draft.columns.duration_minutes = Math.round(seconds / 60);
    draft.customFields.CallDurationInSeconds = seconds;
  },
};
