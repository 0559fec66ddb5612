import type { Server, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";

import { htmlPage } from "@/lib/http/pages/html-page";
import { Semaphore } from "@/lib/semaphore";

/**
 * Pages that this process makes at a time. A page takes tens of milliseconds of the event loop; if hundreds were made
 * at once, as for a burst of requests of strangers, no other request would have its turn before all of them.
 */
const MAX_PAGES = 4;

/** A page that takes longer waits for the database or for another service, and makes room for others. */
const MAX_SLOT_MS = 500;

/** How often it is looked whether a page waits for its reader, and makes room for others. */
const CHECK_MS = 100;

/** How long a page waits at most for new connections to be accepted. */
const MAX_ACCEPT_MS = 100;

/** Beyond it, pages are refused: who waits for so many others has left before. */
const MAX_WAITING = 500;

const slots = new Semaphore(MAX_PAGES);

/** New connections so far. */
let accepted = 0;

/** Has {@link inPageSlot} let a server accept its connections first. */
export function countConnections(server: Server): void {
  server.on("connection", () => (accepted += 1));
}

/**
 * Node accepts one connection in each turn of the event loop. If a page were made in each, hundreds of new connections
 * would be accepted in as many pages' time, and what the last of them ask for would wait for it.
 */
async function untilAllAccepted(): Promise<void> {
  const until = performance.now() + MAX_ACCEPT_MS;
  for (let before = -1; before !== accepted && performance.now() < until;) {
    before = accepted;
    await setImmediate();
  }
}

/** Makes a page when fewer than {@link MAX_PAGES} are being made; not at all if its reader has left before. */
export async function inPageSlot(response: ServerResponse, make: () => Promise<void>): Promise<void> {
  if (slots.waiting >= MAX_WAITING) return refuse(response);
  const left = new AbortController();
  response.once("close", () => left.abort());
  const release = await slots.acquire(left.signal).catch(() => undefined);
  if (!release) return;
  const startedAt = performance.now();
  const timer = setInterval(() => {
    if (response.writableNeedDrain || performance.now() - startedAt > MAX_SLOT_MS) makeRoom();
  }, CHECK_MS);
  const makeRoom = () => {
    clearInterval(timer);
    release();
  };
  try {
    await untilAllAccepted();
    await make();
  } finally {
    makeRoom();
  }
}

async function refuse(response: ServerResponse): Promise<void> {
  const title = "The service is busy";
  const page = htmlPage({ status: 503, title, paragraphs: ["Reload this page in a few seconds."] });
  page.headers.set("retry-after", "5");
  response.writeHead(page.status, Object.fromEntries(page.headers)).end(await page.text());
}
