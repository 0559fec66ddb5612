import { NONE } from "./references";
import type { Org } from "./population";

/** Enhanced e-mail creates a task per message. Here the first four of seven e-mails in a row have one. */
const EMAIL_BLOCK = 7;
const MIRRORED = 4;
/** The places of e-mail tasks among twenty tasks in a row. */
const TASK_BLOCK = 20;
const EMAIL_TASKS = [3, 0, 2, 5, 16, 8, 10, 14, 12] as const;

/** The task that mirrors an e-mail, or NONE. */
export function taskOfEmail(org: Org, email: number): number {
  if (email % EMAIL_BLOCK >= MIRRORED) return NONE;
  const mirror = Math.floor(email / EMAIL_BLOCK) * MIRRORED + (email % EMAIL_BLOCK);
  const task = Math.floor(mirror / EMAIL_TASKS.length) * TASK_BLOCK + (EMAIL_TASKS[mirror % EMAIL_TASKS.length] ?? 0);
  return task < org.total.Task ? task : NONE;
}

/** For each of the twenty places, the index of its e-mail task, or -1. */
const MIRROR_AT: readonly number[] = Array.from({ length: TASK_BLOCK }, (_, place) =>
  (EMAIL_TASKS as readonly number[]).indexOf(place),
);

/** True for tasks with the subtype Email, whether or not their e-mail exists. */
export function isEmailTask(task: number): boolean {
  return (MIRROR_AT[task % TASK_BLOCK] ?? NONE) >= 0;
}

/** The e-mail that a task mirrors, or NONE. */
export function emailOfTask(org: Org, task: number): number {
  const place = MIRROR_AT[task % TASK_BLOCK] ?? NONE;
  if (place < 0) return NONE;
  const mirror = Math.floor(task / TASK_BLOCK) * EMAIL_TASKS.length + place;
  const email = Math.floor(mirror / MIRRORED) * EMAIL_BLOCK + (mirror % MIRRORED);
  return email < org.total.EmailMessage ? email : NONE;
}
