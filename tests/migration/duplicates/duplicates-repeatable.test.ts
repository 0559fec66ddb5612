import { array, assert, asyncProperty, constantFrom, nat, option, record } from "fast-check";
import { expect, test } from "vitest";

import { transaction } from "@/lib/database/db";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";
import { createMigration, finishedOf, runMigration } from "@/tests/migration/support/run-migration";
import { ScriptedSource, sourceRecord } from "@/tests/migration/support/scripted-source";
import { startRun, workSlice } from "@/tests/migration/support/within";
import { pool } from "@/tests/support/owner";

const RULES = [{ match: [{ fields: ["email"] }] }, { match: [{ fields: ["phone"] }] }];

const optional = (values: string[]) => option(constantFrom(...values));

const person = record({
  email: optional(["a@x.example", "A@x.example", "b@x.example", "c@x.example"]),
  phone: optional(["030 111111", "(030) 111111", "040 222222"]),
  name: constantFrom("Ada", "Grace", "Alan Mathison"),
  title: optional(["Dr.", "Countess"]),
});

/** What is here of an organization, without ids and digests, which differ from one organization to another. */
async function contentOf(organizationId: string): Promise<unknown[]> {
  const { rows } = await pool().query<{ content: unknown }>(
    `SELECT to_jsonb(c) - 'organization_id' - 'id' - 'migration_id' - 'source_digest' || jsonb_build_object('aliases', (
       SELECT coalesce(jsonb_agg(ext_id ORDER BY ext_id), '[]') FROM ext_aliases a
       WHERE a.organization_id = c.organization_id AND a.record_id = c.id)) AS content
     FROM contacts c WHERE organization_id = $1 ORDER BY ext_id`,
    [organizationId],
  );
  return rows.map(({ content }) => content);
}

/** A source whose pages have at most `records` records, and whose queries fail now and then. */
class SmallPages extends ScriptedSource {
  constructor(
    given: ScriptedSource["records"],
    private readonly page: number,
  ) {
    super(given);
  }

  override json: ScriptedSource["json"] = async (path, schema) => {
    const url = new URL(path, this.origin);
    const soql = url.searchParams.get("q");
    if (soql && Number(/LIMIT (\d+)/.exec(soql)?.[1]) > this.page) {
      url.searchParams.set("q", soql.replace(/LIMIT \d+/, `LIMIT ${this.page}`));
      const answer = await super.json(url.pathname + url.search, schema);
      return { ...(answer as object), done: false } as typeof answer;
    }
    return super.json(path, schema);
  };
}

test("pages and kills change nothing: the same records, with the same values and aliases", async () => {
  await assert(
    asyncProperty(
      array(person, { minLength: 1, maxLength: 14 }),
      constantFrom("source", "ours", "newest", "longest"),
      constantFrom("oldest", "newest", "last_changed"),
      nat(3),
      nat(12),
      async (people, wins, survivor, page, death) => {
        const contacts = people.map(({ email, phone, name, title }, index) =>
          sourceRecord("003", index + 1, { LastName: name, Email: email, Phone: phone, Title: title }),
        );
        const options = {
          configuration: configurationSchema.parse({
            objects: { Contact: { duplicates: { rules: RULES, wins, survivor } } },
          }),
        };
        const whole = await createMigration(["Contact"]);
        const first = await runMigration(whole, new ScriptedSource({ Contact: contacts }), options);
        expect(first).toMatchObject({ status: "completed" });

        const pieces = await createMigration(["Contact"]);
        const source = new SmallPages({ Contact: contacts }, page + 1);
        let queries = 0;
        source.beforeQuery = () => {
          queries += 1;
          if (queries === death) throw new Error("killed");
        };
        const run = await transaction((tx) => startRun(tx, pieces, options.configuration));
        const slice = () => workSlice(run, async () => source, 0).catch(() => "more");
        while ((await slice()) === "more");
        const ended = await finishedOf(pieces);
        if (ended.status === "failed") {
          // The fault of a query was no fault that passes: the run is started again, as a person would.
          const again = await transaction((tx) => startRun(tx, pieces));
          while ((await workSlice(again, async () => source, 0)) === "more");
        }
        expect(await finishedOf(pieces)).toMatchObject({ status: "completed" });
        expect(await contentOf(pieces.organizationId)).toEqual(await contentOf(whole.organizationId));

        const before = await contentOf(whole.organizationId);
        const repeated = await runMigration(whole, new SmallPages({ Contact: contacts }, page + 1), options);
        expect(repeated.lines.Contact).toMatchObject({ created: 0, updated: 0, unchanged: people.length });
        expect(await contentOf(whole.organizationId)).toEqual(before);
      },
    ),
    { numRuns: 25 },
  );
}, 240_000);
