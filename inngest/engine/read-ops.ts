import { z } from "zod";

import type { Answer, PlannedStep } from "@/inngest/engine/answer";
import { jobErrorOf } from "@/inngest/engine/job-error";
import { waitOf } from "@/inngest/engine/wait-of";

export const sentOps = z.array(
  z.object({
    id: z.string().min(1),
    op: z.string(),
    name: z.string().nullish(),
    displayName: z.string().nullish(),
    data: z.unknown().default(null),
    error: z.unknown().optional(),
    opts: z.looseObject({ parallelMode: z.unknown().optional() }).nullish(),
  }),
);
type Op = z.infer<typeof sentOps>[number];

/** Sorts the operations of one answer or checkpoint: what has finished, what is planned, and how the run goes on. */
export function readOps(ops: readonly Op[], retryAfter: string | null = null): Answer {
  const answer: Answer = { finished: [], planned: [], next: { do: "continue" } };
  for (const op of ops) read(op, answer, retryAfter);
  return answer;
}

function read(op: Op, answer: Answer, retryAfter: string | null): void {
  switch (op.op) {
    case "StepRun":
      answer.finished.push({ id: op.id, value: JSON.stringify({ data: op.data }) });
      return;
    case "StepFailed":
      answer.finished.push({ id: op.id, value: JSON.stringify({ error: jobErrorOf(op.error) }) });
      return;
    case "StepError":
      answer.next = { do: "retry", error: jobErrorOf(op.error), retryAfter };
      return;
    case "RunComplete":
      answer.next = { do: "complete", output: JSON.stringify(op.data) };
      return;
    case "StepPlanned":
    case "Sleep":
      plan(op, answer);
      return;
    default:
      answer.next = unsupported(`${op.op} (the step "${op.displayName ?? op.id}")`);
  }
}

function plan(op: Op, answer: Answer): void {
  if (op.opts?.parallelMode) answer.next = unsupported(`a race between parallel steps (the step "${op.displayName ?? op.id}")`);
  const planned: PlannedStep = { id: op.id, waitMs: op.op === "Sleep" ? waitOf(op.name ?? "") : null };
  answer.planned.push(planned);
}

function unsupported(what: string): Answer["next"] {
  const message = `The embedded job engine does not do ${what}. Write the function without it, or run jobs on an Inngest server.`;
  return { do: "fail", error: { name: "UnsupportedStep", message } };
}
