import type { Context } from "@/lib/context";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken, createContext } from "@/tests/support/factories";

interface Answered {
  status: number;
  headers: Headers;
  text: string;
  body: Record<string, unknown> & {
    id: string;
    data: Record<string, unknown>[];
    code: string;
    errors: { pointer: string; code: string; detail: string }[];
  };
}

export interface Caller {
  context: Context;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
}

/** A client that acts for a person, by their role and its scopes. */
export async function clientOf(options: Parameters<typeof createContext>[0] = {}): Promise<Caller> {
  const context = await createContext(options);
  const authorization = `Bearer ${await createAccessToken(context)}`;
  const call: Caller["call"] = async (method, path, body, headers = {}) => {
    const { text, ...answer } = await callRoute(method, path, { authorization, ...headers }, body);
    return { ...answer, text, body: text === "" ? ({} as Answered["body"]) : (JSON.parse(text) as Answered["body"]) };
  };
  return { context, call };
}

/** What a webhook needs. */
export const ASKED = { url: "https://hooks.example.com/crm?token=of-theirs", events: ["case.*"] };
