import { sendRequest, faultsOf } from "@/tests/service/api/support/send-request";
import type { Document } from "@/tests/service/api/support/document";
import { startPrism } from "@/tests/service/api/support/prism";
import { type Recorded, startReplay, WHICH } from "@/tests/service/api/support/replay";

const AT_ONCE = 8;

/** An answer and its request. */
export interface RecordedExchange extends Recorded {
  method: string;
  path: string;
}

/**
 * Adds one fault to an answer: bytes get another type, a problem the code of another status, and any other body loses
 * its first property.
 */
export function corrupt<Answer extends Recorded>(answer: Answer): Answer {
  const { text, headers } = answer;
  const isJson = headers["content-type"]?.endsWith("json");
  if (!isJson) return { ...answer, headers: { ...headers, "content-type": "text/html" } };
  return { ...answer, text: corruptJson(text) };
}

function corruptJson(text: string): string {
  const body = JSON.parse(text) as Record<string, unknown>;
  if ("code" in body) return JSON.stringify({ ...body, code: "method_not_allowed" });
  const [, ...rest] = Object.entries(body);
  return JSON.stringify(Object.fromEntries(rest));
}

/** The names of answers in which Prism finds nothing when a server gives them to the same requests. */
export async function undetected(
  document: Document,
  answers: ReadonlyMap<string, RecordedExchange>,
): Promise<string[]> {
  const replay = await startReplay(answers);
  const prism = await startPrism(document, replay.url);
  const missed = new Set<string>();
  const left = answers.entries();
  const work = async (): Promise<void> => {
    for (const [name, { method, path }] of left) {
      const body = method === "GET" || method === "DELETE" ? {} : { body: {} };
      const answer = await sendRequest(prism.url, method, {
        path,
        token: null,
        headers: { [WHICH]: encodeURIComponent(name) },
        ...body,
      });
      if (faultsOf(answer, "answer").length === 0) missed.add(name);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await prism.stop();
    await replay.stop();
  }
  return [...answers.keys()].filter((name) => missed.has(name));
}
