import { relate } from "@/tests/service/support/expected/activity-relations";
import { type Expectation, expectRecord } from "@/tests/service/support/expected/expectation";
import { meaning, TASK_PRIORITY, TASK_STATUS, TASK_TYPE } from "@/tests/service/support/expected/picklists";
import type { SourceContext } from "@/tests/service/support/expected/source-context";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** The master of a series with occurrences, and the copy of an e-mail, do not become activities. */
export function expectTask(source: SourceRecord, context: SourceContext): Expectation {
  if (source.IsRecurrence === true && context.occurring.has(source.Id))
    return { outcome: "skipped", codes: ["recurrence_series"] };
  if (context.mirrors.has(source.Id)) return { outcome: "skipped", codes: ["mirrored_by_email"] };
  const status = meaning(TASK_STATUS, source.Status, source.IsClosed === true ? "completed" : "not_started");
  const priority = meaning(TASK_PRIORITY, source.Priority, null);
  const type = meaning(TASK_TYPE, source.TaskSubtype, "task");
  const related = relate(source, context);
  const seconds = source.CallDurationInSeconds;
  return expectRecord("activities", source, context, {
    copied: { description: "Description", due_date: "ActivityDate" },
    moments: { completed_at: "CompletedDateTime" },
    worked: {
      subject: source.Subject ?? "(no subject)",
      type: type.value,
      status: status.value,
      priority: priority.value,
      // The seconds are kept as well.
      duration_minutes: typeof seconds === "number" ? Math.round(seconds / 60) : null,
      start_at: null,
      end_at: null,
      location: null,
      ...related.columns,
    },
    carried: [
      "Subject",
      ...related.carried,
      ...(status.saysAll ? ["Status"] : []),
      ...(priority.saysAll ? ["Priority"] : []),
      ...(type.saysAll ? ["TaskSubtype"] : []),
    ],
  });
}
