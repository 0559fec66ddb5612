import { sendRequest } from "@/tests/service/api/support/send-request";

/** Webhooks, and the events sent to each. */
export interface MadeWebhooks {
  ids: string[];
  eventIds: string[];
}

/** A user of the API. */
export interface Caller {
  baseUrl: string;
  token: string;
}

const TOLD = 3;

async function call<Body>({ baseUrl, token }: Caller, method: string, path: string, body?: object): Promise<Body> {
  const answer = await sendRequest(`${baseUrl}/api/v1`, method, { path, token, body });
  if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
  return answer.body as Body;
}

/** Creates webhooks and an event for all of them. After that they are subscribed to few events. */
export async function makeWebhooks(
  caller: Caller,
  count: number,
  endpoint: { url: string; description: string },
): Promise<MadeWebhooks> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    ids.push(
      (await call<{ id: string }>(caller, "POST", "/webhooks", { ...endpoint, events: ["account.created"] })).id,
    );
  }
  for (let number = 0; number < TOLD; number += 1) await call(caller, "POST", "/accounts", { name: "Fells Bakery" });
  for (const id of ids) await call(caller, "PATCH", `/webhooks/${id}`, { events: ["lead.converted"] });
  const { data } = await call<{ data: { event_id: string }[] }>(caller, "GET", `/webhooks/${ids[0]}/deliveries`);
  if (data.length !== TOLD) throw new Error(`A webhook was told of ${data.length} events instead of ${TOLD}.`);
  return { ids, eventIds: data.map(({ event_id }) => event_id) };
}

/** Cursors of the second page of webhooks, and of a webhook's deliveries. */
export async function cursorsOfWebhooks(
  caller: Caller,
  { ids }: MadeWebhooks,
): Promise<{ webhooks: string[]; deliveries: string[] }> {
  const cursorOf = async (path: string) =>
    (await call<{ next_cursor: string }>(caller, "GET", `${path}?limit=1`)).next_cursor;
  return { webhooks: [await cursorOf("/webhooks")], deliveries: [await cursorOf(`/webhooks/${ids[0]}/deliveries`)] };
}

/** Deletes every webhook of the organization, so that nothing is tried again after the run. */
export async function deleteWebhooks(caller: Caller): Promise<void> {
  const { data } = await call<{ data: { id: string }[] }>(caller, "GET", "/webhooks?limit=200");
  for (const { id } of data) await call(caller, "DELETE", `/webhooks/${id}`);
}
