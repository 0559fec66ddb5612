import { relate } from "@/tests/service/expected/activity-relations";
import { type Expectation, expectRecord } from "@/tests/service/expected/expectation";
import { meaning, TASK_PRIORITY, TASK_STATUS, TASK_TYPE } from "@/tests/service/expected/picklists";
import type { SourceWorld } from "@/tests/service/expected/source-world";
import type { SourceRecord } from "@/tests/service/support/source-org";

/** The pattern of a series, where there are occurrences, and the copy of an e-mail are no activities of their own. */
export function expectTask(source: SourceRecord, world: SourceWorld): Expectation {
  if (source.IsRecurrence === true && world.occurring.has(source.Id))
    return { outcome: "skipped", codes: ["recurrence_series"] };
  if (world.mirrors.has(source.Id)) return { outcome: "skipped", codes: ["mirrored_by_email"] };
  const status = meaning(TASK_STATUS, source.Status, source.IsClosed === true ? "completed" : "not_started");
  const priority = meaning(TASK_PRIORITY, source.Priority, null);
  const type = meaning(TASK_TYPE, source.TaskSubtype, "task");
  const related = relate(source, world);
  const seconds = source.CallDurationInSeconds;
  return expectRecord("activities", source, world, {
    copied: { description: "Description", due_date: "ActivityDate" },
    moments: { completed_at: "CompletedDateTime" },
    worked: {
      subject: source.Subject ?? "(no subject)",
      type: type.value,
      status: status.value,
      priority: priority.value,
      // The seconds are kept beside it.
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
