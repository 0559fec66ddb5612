import { relate } from "@/tests/service/support/expected/activity-relations";
import { type Expectation, expectRecord } from "@/tests/service/support/expected/expectation";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** An invitee's copy of a group event, and the master of a series with occurrences, do not become activities. */
export function expectEvent(source: SourceRecord, context: SourceContext): Expectation {
  const isPattern = source.IsRecurrence === true && context.occurring.has(source.Id);
  const codes = [...(source.IsChild === true ? ["invitee_copy"] : []), ...(isPattern ? ["recurrence_series"] : [])];
  if (codes.length > 0) return { outcome: "skipped", codes };
  const related = relate(source, context);
  const invited = context.people.get(source.Id);
  // The moments of an all-day event stand for days, and are kept as they are.
  const isAllDay = source.IsAllDayEvent === true;
  return expectRecord("activities", source, context, {
    copied: {
      description: "Description",
      location: "Location",
      duration_minutes: "DurationInMinutes",
      due_date: "ActivityDate",
    },
    moments: isAllDay ? {} : { start_at: "StartDateTime", end_at: "EndDateTime" },
    worked: {
      type: "event",
      subject: source.Subject ?? "(no subject)",
      status: null,
      priority: null,
      completed_at: null,
      ...(isAllDay && { start_at: null, end_at: null }),
      ...related.columns,
    },
    carried: ["Subject", ...related.carried],
    ...(invited && { added: { EventRelations: invited } }),
  });
}
