import { type Actor, pick } from "@/tests/benchmarks/soak/actor";
import { draft, RESOURCES } from "@/tests/benchmarks/soak/drafts";

const LISTS = [
  "/opportunities",
  "/opportunities?limit=200&fields=name,stage,amount",
  "/opportunities?stage=negotiation",
  "/opportunities?order=asc&limit=20&expand=account,owner",
  "/opportunities?updated_at[gte]=2026-01-01T00:00:00Z",
  ...RESOURCES.map((resource) => `/${resource}`),
];
const BATCH = 20;

/** The actions of an actor, with their frequency in percent. */
const ACTIONS: readonly (readonly [weight: number, act: (actor: Actor) => Promise<void>])[] = [
  [26, list],
  [22, get],
  [8, search],
  [14, create],
  [11, change],
  [6, upsert],
  [4, batch],
  [3, deleteAndRestore],
  [1, deleteForGood],
  [5, readEvents],
];
const TOTAL = ACTIONS.reduce((sum, [weight]) => sum + weight, 0);

/** Runs a random action of one or more requests. Throws if one of them fails. */
export async function act(actor: Actor): Promise<void> {
  let left = Math.random() * TOTAL;
  const [, action] = ACTIONS.find(([weight]) => (left -= weight) < 0) ?? [0, list];
  await action(actor);
}

async function list(actor: Actor): Promise<void> {
  const path = pick(LISTS) ?? "/opportunities";
  const { next_cursor: cursor } = await actor.send("list", "GET", path);
  if (typeof cursor === "string")
    await actor.send("list", "GET", `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}`);
}

async function get(actor: Actor): Promise<void> {
  const owned = actor.any();
  if (owned) await actor.send("get", "GET", `/${owned.resource}/${owned.id}`);
}

async function search(actor: Actor): Promise<void> {
  await actor.send("search", "GET", `/opportunities?q=order+${Math.floor(Math.random() * 5000)}`);
}

async function create(actor: Actor): Promise<void> {
  const resource = pick(RESOURCES) ?? "accounts";
  actor.own(resource, await actor.send("create", "POST", `/${resource}`, draft(resource)));
}

async function change(actor: Actor): Promise<void> {
  const owned = actor.any();
  if (owned) await actor.send("change", "PATCH", `/${owned.resource}/${owned.id}`, draft(owned.resource));
}

/** Uses few external ids, so that most of them exist. */
async function upsert(actor: Actor): Promise<void> {
  const resource = pick(RESOURCES) ?? "accounts";
  await actor.send(
    "upsert",
    "PUT",
    `/${resource}/by_ext_id/${actor.name}-${Math.floor(Math.random() * 50)}`,
    draft(resource),
  );
}

async function batch(actor: Actor): Promise<void> {
  const items = Array.from({ length: BATCH }, (_, index) => {
    const data = draft("contacts");
    return index % 2 === 0
      ? { action: "create", data }
      : { action: "upsert", ext_id: `${actor.name}-batch-${index}`, data };
  });
  await actor.send("batch", "POST", "/contacts/batch", { mode: "all_or_nothing", items });
}

async function deleteAndRestore(actor: Actor): Promise<void> {
  const owned = actor.any();
  if (!owned) return;
  const path = `/${owned.resource}/${owned.id}`;
  await actor.send("delete", "DELETE", path);
  await actor.send("restore", "POST", `${path}/restore`);
}

async function deleteForGood(actor: Actor): Promise<void> {
  const owned = actor.any();
  if (!owned) return;
  await actor.send("delete", "DELETE", `/${owned.resource}/${owned.id}`);
  actor.disown(owned);
}

/** Reads on from the actor's cursor, as a client that follows the feed does. */
async function readEvents(actor: Actor): Promise<void> {
  const from = actor.eventsCursor === null ? "" : `&cursor=${encodeURIComponent(actor.eventsCursor)}`;
  const { data } = await actor.send("events", "GET", `/events?order=asc${from}`);
  const last = (data as { id: string }[] | undefined)?.at(-1);
  if (last) actor.eventsCursor = last.id;
}
