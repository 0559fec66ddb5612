import type { Answer } from "@/inngest/engine/answer";
import { jobErrorOf } from "@/inngest/engine/job-error";
import { readOps, sentOps } from "@/inngest/engine/read-ops";

/** Reads the answer of the SDK's handler: 206 is a list of operations, 200 a result, anything else an error that may be final. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const retryAfter = response.headers.get("retry-after");
  if (response.status === 206) return readOps(sentOps.parse(JSON.parse(text)), retryAfter);
  if (response.status === 200) return { finished: [], planned: [], next: { do: "complete", output: text } };
  const error = jobErrorOf(parsed(text));
  const isFinal = response.headers.get("x-inngest-no-retry") === "true";
  return { finished: [], planned: [], next: isFinal ? { do: "fail", error } : { do: "retry", error, retryAfter } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
