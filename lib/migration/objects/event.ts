import { RELATION_COLUMNS, RELATION_FIELDS, relateActivity } from "@/lib/migration/objects/activity-relations";
import { exact, likely, type Skip, type SourceObject } from "@/lib/migration/objects/declaration";
import { recurrenceMaster } from "@/lib/migration/objects/recurrence";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Every invitee has a copy of a group event; the organizer's own is the event. */
function inviteeCopy(record: SourceRecord): Skip | null {
  if (record.IsChild !== true) return null;
  return {
    code: "invitee_copy",
    reason:
      "This is an invitee's copy of a group event. The event itself is the organizer's record, which is imported if the Salesforce user can read it.",
    field: "IsChild",
    value: "true",
  };
}

export const event: SourceObject = {
  name: "Event",
  label: "event",
  resource: "activities",
  fields: {
    Subject: exact("subject"),
    Description: exact("description"),
    ActivityDate: likely("due_date", "The day of the event."),
    StartDateTime: exact("start_at"),
    EndDateTime: exact("end_at"),
    DurationInMinutes: exact("duration_minutes"),
    Location: exact("location"),
  },
  ruled: { ...RELATION_FIELDS },
  placeholders: { subject: "(no subject)" },
  sets: [...RELATION_COLUMNS, "type"],
  leftOut: [],
  skip: (record) => inviteeCopy(record) ?? recurrenceMaster(record),
  refine(record, draft) {
    draft.columns.type = "event";
    relateActivity(record, draft);
  },
};
