import type { Context } from "@/lib/context";
import { callRoute } from "@/tests/http/support/call-route";
import { createAccessToken } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";

import { ASKED } from "@/tests/webhooks/support/call-webhooks";

export interface App {
  id: string;
  client_id: string;
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> & { id: string } }>;
  /** A webhook that it sets up, and gives the id of. */
  setUp(url?: string): Promise<string>;
}

/** An app that a person has allowed to act for them, by its access token alone. */
export async function appOf(context: Context): Promise<App> {
  const authorization = `Bearer ${await createAccessToken(context)}`;
  const newest =
    "SELECT id, client_id FROM oauth_clients WHERE organization_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1";
  const { rows } = await pool().query<{ id: string; client_id: string }>(newest, [context.organizationId]);
  const [{ id, client_id } = { id: "", client_id: "" }] = rows;
  const call: App["call"] = async (method, path, body) => {
    const { status, text } = await callRoute(method, path, { authorization }, body);
    return { status, body: JSON.parse(text) };
  };
  const setUp = async (url = ASKED.url) => (await call("POST", "/webhooks", { url, events: ["*"] })).body.id;
  return { id, client_id, call, setUp };
}
