import { expect, test } from "vitest";
import type { z } from "zod";

import { pool } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { MAX_PEOPLE, readPeople } from "@/lib/migration/pipeline/read/people";
import type { ReportFacts } from "@/lib/migration/report/facts";
import { owners } from "@/lib/migration/report/risks/owners";
import { ScriptedSource, sourceId, sourceRecord } from "@/tests/migration/support/scripted-source";
import { createContext, createUser } from "@/tests/support/factories";

const PAGE = 2000;
const emailOf = (number: number) => `user${number}@example.com`;

const userOf = (Id: string) => ({
  Id,
  Name: `User ${Number(Id.slice(8, 15))}`,
  Email: emailOf(Number(Id.slice(8, 15))),
});

/** A source with endless users and queues, two thousand per page. */
class EndlessPeople extends ScriptedSource {
  readonly asked: string[] = [];

  constructor() {
    super({});
  }

  override async json<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
    const soql = new URL(path, this.origin).searchParams.get("q") ?? "";
    const named = [...soql.matchAll(/'(\w{18})'/g)].flatMap(([, id]) => id ?? []);
    if (soql.includes("Id IN (")) {
      this.asked.push("named");
      return schema.parse({ totalSize: named.length, done: true, records: named.map(userOf) });
    }
    this.asked.push(soql.includes("IsActive = false") ? "inactive" : (/FROM (\w+)/.exec(soql)?.[1] ?? ""));
    if (this.asked.length > 1000) throw new Error("Who reads this reads for ever.");
    const prefix = soql.includes("FROM Group") ? "00G" : "005";
    const after = Number(/Id > '\w{3}M0000(\d{7})AAA'/.exec(soql)?.[1] ?? 0);
    const records = Array.from({ length: PAGE }, (_, index) => userOf(sourceId(prefix, after + index + 1)));
    return schema.parse({ totalSize: PAGE, done: true, records });
  }

  pagesOf(kind: string): number {
    return this.asked.filter((asked) => asked === kind).length;
  }
}

test("at most a hundred thousand users and queues are kept, and further users are looked up by their ids", async () => {
  const { organizationId } = await createContext();
  const [first, last, beyond] = [1, 100_000, 100_001] as const;
  const members = new Map<number, string>();
  for (const number of [first, last, beyond])
    members.set(number, await createUser(organizationId, "member", emailOf(number)));
  const source = new EndlessPeople();
  const people = await inOrganization(organizationId, () => readPeople(source, pool(), organizationId));
  const held = () =>
    [first, last, beyond].map((number) => [
      people.memberOf(sourceId("005", number)),
      people.nameOf(sourceId("005", number)),
    ]);
  const known = [
    [members.get(first), "User 1"],
    [members.get(last), "User 100000"],
  ];
  expect(held()).toEqual([...known, [null, null]]);
  const named = [first, beyond, beyond].map((number) => sourceId("005", number));
  await people.lookUp(named);
  expect(held()).toEqual([...known, [members.get(beyond), "User 100001"]]);
  await people.lookUp(named);
  expect(source.pagesOf("named")).toBe(1);
  // One page is always being fetched while another is processed.
  expect(source.pagesOf("User")).toBeLessThanOrEqual(51);
  expect(source.pagesOf("Group")).toBeLessThanOrEqual(51);
});

test("a further user is kept as long as pages name the user", async () => {
  const { organizationId } = await createContext();
  const source = new EndlessPeople();
  const people = await inOrganization(organizationId, () => readPeople(source, pool(), organizationId));
  const users = Array.from({ length: MAX_PEOPLE + 2 }, (_, index) => sourceId("005", MAX_PEOPLE + 1 + index));
  const [first = "", second = "", ...others] = users;
  await people.lookUp([first, second, ...others.slice(0, -2)]);
  await people.lookUp([first, ...others.slice(-2)]);
  expect([first, second].map((id) => people.nameOf(id))).toEqual([`User ${MAX_PEOPLE + 1}`, null]);
});

test("an analysis reads at most as many inactive users", async () => {
  const { organizationId } = await createContext();
  const source = new EndlessPeople();
  const facts = { client: source, organizationId, mappings: {} } as unknown as ReportFacts;
  await inOrganization(organizationId, async () => owners(facts));
  expect(source.pagesOf("inactive")).toBeLessThanOrEqual(51);
});

test("a user of a sandbox is the member whose address the sandbox has altered", async () => {
  const { organizationId } = await createContext();
  const [ana, other] = [
    await createUser(organizationId, "member", "ana@sandbox.example"),
    await createUser(organizationId, "member", "ben@sandbox.example.invalid"),
  ];
  await createUser(organizationId, "member", "ben@sandbox.example");
  const altered = ["Ana@sandbox.example.invalid", "ben@sandbox.example.invalid", "eve@sandbox.example.invalid"];
  const source = new ScriptedSource({
    User: altered.map((Email, index) => sourceRecord("005", index + 1, { Name: "A user", Email })),
    Group: [],
  });
  const people = await inOrganization(organizationId, () => readPeople(source, pool(), organizationId));
  expect([1, 2, 3].map((number) => people.memberOf(sourceId("005", number)))).toEqual([ana, other, null]);
});
