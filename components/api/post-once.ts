import { useState } from "react";

import { Problem } from "@/components/api/problem";
import { postWithKey } from "@/components/api/request";

/** Sends one request by POST. Throws `Problem`. */
export type Post = <Answer>(path: string, body: unknown) => Promise<Answer>;

/** Refusals before the API has looked whether it knows the key. */
const BEFORE_THE_KEY = new Set([401, 429]);

/** Whoever sends the same later than this means it again, in milliseconds. */
const KEPT = 5 * 60_000;

/** Sends what adds something: what is sent again after its answer was lost is not done twice. */
export function usePost(): Post {
  const [post] = useState(postsOnce);
  return post;
}

/** The same again has the same `Idempotency-Key` until it is answered; anything else has another one. */
export function postsOnce(): Post {
  let unanswered: { what: string; key: string; at: number } | null = null;
  return async <Answer>(path: string, body: unknown) => {
    const what = JSON.stringify([path, body]);
    const isAgain = unanswered?.what === what && performance.now() - unanswered.at < KEPT;
    if (!unanswered || !isAgain) unanswered = { what, key: newKey(), at: performance.now() };
    try {
      const answer = await postWithKey<Answer>(path, body, unanswered.key);
      unanswered = null;
      return answer;
    } catch (error) {
      if (isAnswer(error)) unanswered = null;
      throw error;
    }
  };
}

/** Whether it is known what became of a request. The API keeps its answer, also a refusal, for the key. */
function isAnswer(error: unknown): boolean {
  if (!(error instanceof Problem) || error.code === "idempotency_key_in_use") return false;
  return error.status >= 400 && error.status < 500 && !BEFORE_THE_KEY.has(error.status);
}

/** Not `randomUUID`, which browsers keep from pages that come without TLS, as within a company's own network. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}
