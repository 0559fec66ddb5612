/**
 * The value of our enum for each source value. `differs`: the texts differ, so that the original must be kept too.
 * Null: there is no equivalent. Every value of the sandbox org is listed, so that a new one fails a test.
 */
type Meanings = Record<string, { value: string; differs: boolean } | null>;

const same = (value: string) => ({ value, differs: false });
const differs = (value: string) => ({ value, differs: true });

export const CASE_STATUS: Meanings = {
  New: same("new"),
  "Waiting on Customer": same("waiting_on_customer"),
  "On Hold": same("on_hold"),
  Escalated: same("escalated"),
  Resolved: same("resolved"),
  Closed: same("closed"),
  Working: differs("in_progress"),
  "Closed (Duplicate)": differs("closed"),
  Neu: null,
  Zurückgestellt: null,
};

export const CASE_PRIORITY: Meanings = {
  High: same("high"),
  Medium: same("medium"),
  Low: same("low"),
  Critical: differs("urgent"),
};

export const TASK_STATUS: Meanings = {
  "Not Started": same("not_started"),
  "In Progress": same("in_progress"),
  Completed: same("completed"),
  Deferred: same("deferred"),
  "Waiting on someone else": differs("waiting"),
  Delegated: null,
};

export const TASK_PRIORITY: Meanings = { High: same("high"), Normal: differs("medium"), Low: same("low") };

export const TASK_TYPE: Meanings = {
  Task: same("task"),
  Call: same("call"),
  Email: same("email"),
  ListEmail: differs("email"),
};

/** The value that a column must have, and whether it contains the source's whole meaning. */
export function meaning(
  meanings: Meanings,
  value: unknown,
  otherwise: string | null,
): { value: string | null; saysAll: boolean } {
  if (value === null || value === undefined) return { value: otherwise, saysAll: false };
  const found = meanings[String(value)];
  if (found === undefined)
    throw new Error(
      `Nobody has said what “${String(value)}” means. Add it to tests/service/support/expected/picklists.ts.`,
    );
  return found ? { value: found.value, saysAll: !found.differs } : { value: otherwise, saysAll: false };
}
