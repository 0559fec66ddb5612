import { beforeAll, expect, test } from "vitest";

import { newId } from "@/lib/ids";
import { THREAD_PAGE, THREAD_POSITION } from "@/lib/records/case-thread";
import { type EventFilter, type EventOrder, eventsText, EVENT_POSITION } from "@/lib/records/events/events-page";
import { insertRecord } from "@/tests/support/factories";
import { pool } from "@/tests/support/owner";
import { type PlanNode, planOf, readersOf } from "@/tests/support/query-plan";

const ORGANIZATIONS = [newId(), newId(), newId()] as const;
const ROWS = 4_000;
/**
 * By the planner's estimate several pages of each type, whatever other events there are; with fewer it may fetch them
 * all and sort.
 */
const EVENTS = 3 * ROWS;
const RECORD = newId();

beforeAll(async () => {
  for (const organizationId of ORGANIZATIONS) {
    await pool().query(
      `INSERT INTO events (organization_id, tx, id, created_at, type, record_id, object)
       SELECT $1, n, gen_random_uuid(), now() - n * interval '1 minute',
         (ARRAY['account.created', 'account.updated', 'case.escalated'])[n % 3 + 1],
         CASE WHEN n % 100 = 0 THEN $2::uuid ELSE gen_random_uuid() END, '{}' FROM generate_series(1, ${EVENTS}) AS n`,
      [organizationId, RECORD],
    );
    const theCase = await insertRecord("cases", organizationId);
    await pool().query(
      `INSERT INTO case_comments (organization_id, id, created_at, updated_at, case_id, body, position)
       SELECT $1, gen_random_uuid(), now(), now(), $2, 'text', n FROM generate_series(1, ${ROWS}) AS n`,
      [organizationId, theCase],
    );
  }
  await pool().query("ANALYZE events");
  await pool().query("ANALYZE case_comments");
});

async function scansOf(text: string, values: unknown[], table: string): Promise<PlanNode[]> {
  const readers = readersOf(await planOf({ text, values }, "force_generic_plan"));
  return readers.filter((node) => node["Index Name"]?.startsWith(table) ?? true);
}

const FEEDS: { filters: EventFilter[]; index: string; range: RegExp }[] = [
  { filters: [], index: "events_pkey", range: /organization_id.*ROW\(tx, id\)/ },
  { filters: ["since"], index: "events_pkey", range: /organization_id.*tx >= / },
  {
    filters: ["type"],
    index: "events_organization_id_type_tx_id_idx",
    range: /organization_id.*type = .*ROW\(tx, id\)/,
  },
  {
    filters: ["record_id"],
    index: "events_organization_id_record_id_tx_id_idx",
    range: /organization_id.*record_id = .*ROW\(tx, id\)/,
  },
  { filters: ["record_id", "type"], index: "events_organization_id_record_id_tx_id_idx", range: /record_id = / },
];

const ORDERS: EventOrder[] = ["asc", "desc"];

test.each(FEEDS.flatMap((feed) => ORDERS.map((order) => ({ ...feed, order }))))(
  "the events feed by $filters, $order, is one range of $index",
  async ({ filters, index, range, order }) => {
    const yesterday = new Date(Date.now() - 86_400_000).toISOString();
    const values = [ORGANIZATIONS[1], 100, newId(), 51, RECORD, ["account.created", "account.updated"], yesterday];
    const scans = (await scansOf(eventsText(order, filters), values, "events")).filter(
      (scan) => scan["Index Name"] !== "events_organization_id_created_at_idx",
    );
    expect(scans).toEqual([
      expect.objectContaining({ "Index Name": index, "Index Cond": expect.stringMatching(range) }),
    ]);
  },
);

test("the position of an event, or of a comment, is one lookup of an index by its id", async () => {
  const event = await scansOf(EVENT_POSITION, [ORGANIZATIONS[1], newId()], "events");
  const byId = {
    "Index Name": "events_organization_id_id_idx",
    "Index Cond": expect.stringMatching(/organization_id.*\(id = /),
  };
  expect(event).toEqual([expect.objectContaining(byId)]);
  const [comment] = await scansOf(THREAD_POSITION, [ORGANIZATIONS[1], newId(), newId()], "case_comments");
  expect(comment).toMatchObject({
    "Index Name": "case_comments_pkey",
    "Index Cond": expect.stringMatching(/organization_id.*\(id = /),
  });
});

test("a page of a thread is one range of an index", async () => {
  const scans = await scansOf(THREAD_PAGE, [ORGANIZATIONS[1], newId(), 7, newId(), 51], "case_comments");
  expect(scans).toEqual([
    expect.objectContaining({
      "Index Name": "case_comments_organization_id_case_id_position_id_idx",
      "Index Cond": expect.stringContaining("ROW"),
    }),
  ]);
});
