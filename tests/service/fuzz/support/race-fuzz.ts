import { randomUUID } from "node:crypto";

import * as fc from "fast-check";

import type { ApiDocument, ApiOperation } from "@/tests/service/fuzz/support/document";
import { faultOf } from "@/tests/service/fuzz/support/judge";
import { type Answer, asCurl, send, type Wire } from "@/tests/service/fuzz/support/send";
import type { Tally } from "@/tests/service/fuzz/support/tally";
import { minimalOf, RESOURCES, type Fixtures } from "@/tests/service/fuzz/support/fixtures";

/** Concurrent requests about one record. */
export interface RaceFuzz {
  race: keyof typeof RACES;
  resource: string;
  times: number;
  key: string;
}

export const raceFuzz: fc.Arbitrary<RaceFuzz> = fc.record({
  race: fc.constantFrom<keyof typeof RACES>(
    "one version",
    "changes",
    "one key",
    "upserts",
    "there and gone",
    "batches",
    "conversions",
    "escalations",
  ),
  resource: fc.constantFrom(...RESOURCES),
  times: fc.integer({ min: 2, max: 6 }),
  key: fc.uuid(),
});

interface Call {
  method: string;
  /** As in the document. */
  path: string;
  id?: string;
  body?: object;
  headers?: Record<string, string>;
}

type Sender = (call: Call) => Promise<Answer>;

interface Setting extends RaceFuzz {
  fixtures: Fixtures;
  call: Sender;
  /** A text field that every record of the resource has. */
  text: string;
}

/** Runs the race. Throws if an answer is wrong, or if the answers contradict each other. */
export async function tryRace(fuzz: RaceFuzz, document: ApiDocument, fixtures: Fixtures, tally: Tally): Promise<void> {
  const sent: string[] = [];
  const call: Sender = async (each) => {
    const operation = operationFor(each, document);
    const wire = wireOf(each, fixtures);
    const answer = await send(fixtures.baseUrl, wire);
    sent.push(`${answer.status} ${answer.text.slice(0, 300)} to ${asCurl(fixtures.baseUrl, wire)}`);
    tally.note(operation.id, answer.status);
    const draft = { operation, path: {}, query: [], headers: {}, body: each.body, rewrite: {} };
    const fault = faultOf({ draft, wire, answer, intent: "anything", marker: fixtures.marker });
    if (fault) throw new Error(`the answer is ${fault}`);
    return answer;
  };
  const text =
    Object.keys(minimalOf(fuzz.resource, fixtures)).find((name) => /^(?:name|last_name|subject|body)$/.test(name)) ??
    "name";
  try {
    const fault = await RACES[fuzz.race]({ ...fuzz, fixtures, call, text });
    if (fault !== undefined) throw new Error(fault);
  } catch (error) {
    throw new Error(`race “${fuzz.race}” of ${fuzz.resource}: ${String(error)}\n${sent.join("\n")}\n`, {
      cause: error,
    });
  }
}

function operationFor({ method, path }: Call, { operations }: ApiDocument): ApiOperation {
  const operation = operations.find((each) => each.method === method && each.path === path);
  if (!operation) throw new Error(`The document has no ${method} ${path}.`);
  return operation;
}

function wireOf({ method, path, id = "", body, headers }: Call, { token }: Fixtures): Wire {
  const target = `/api/v1${path.replace(/\{\w+\}/, id)}`;
  const type: Record<string, string> = body ? { "content-type": "application/json" } : {};
  return {
    method,
    target,
    headers: { authorization: `Bearer ${token}`, ...type, ...headers },
    body: body ? Buffer.from(JSON.stringify(body)) : null,
  };
}

function idIn({ text }: Answer): string {
  return (JSON.parse(text) as { id: string }).id;
}

async function make({ call, resource, fixtures }: Setting, resourceToMake = resource): Promise<string> {
  const answer = await call({ method: "POST", path: `/${resourceToMake}`, body: minimalOf(resourceToMake, fixtures) });
  if (answer.status !== 201) throw new Error("the record to race for was not made");
  return idIn(answer);
}

function together({ times }: Setting, each: (index: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => each(index)));
}

/** "200 412 412": the statuses in order. */
function statusesOf(answers: readonly Answer[]): string {
  return answers
    .map(({ status }) => status)
    .toSorted((one, other) => one - other)
    .join(" ");
}

function unless(expected: string, answers: readonly Answer[]): string | undefined {
  const statuses = statusesOf(answers);
  return statuses === expected ? undefined : `the statuses are ${statuses} and not ${expected}`;
}

/** Checks that one request succeeds and the others are refused with the status. */
function onlyOne(answers: readonly Answer[], refused: number): string | undefined {
  return unless([200, ...answers.slice(1).map(() => refused)].join(" "), answers);
}

const RACES = {
  "one version": async (setting: Setting) => {
    const id = await make(setting);
    const { call, resource, text, key } = setting;
    const headers = { "if-match": '"1"' };
    return onlyOne(
      await together(setting, (index) =>
        call({ method: "PATCH", path: `/${resource}/{id}`, id, headers, body: { [text]: `${key} ${index}` } }),
      ),
      412,
    );
  },

  changes: async (setting: Setting) => {
    const id = await make(setting);
    const { call, resource, text, key, times } = setting;
    const answers = await together(setting, (index) =>
      call({ method: "PATCH", path: `/${resource}/{id}`, id, body: { [text]: `${key} ${index}` } }),
    );
    const { version } = JSON.parse((await call({ method: "GET", path: `/${resource}/{id}`, id })).text) as {
      version: number;
    };
    if (version !== times + 1) return `${times} changes made version ${version}`;
    return unless(answers.map(() => 200).join(" "), answers);
  },

  "one key": async (setting: Setting) => {
    const { call, resource, fixtures, key } = setting;
    const create = () =>
      call({
        method: "POST",
        path: `/${resource}`,
        headers: { "idempotency-key": key },
        body: minimalOf(resource, fixtures),
      });
    const answers = [...(await together(setting, create)), await create()];
    const made = answers.filter(({ status }) => status === 201);
    if (new Set(made.map(idIn)).size !== 1) return "one key made several records, or none";
    return answers.every(
      ({ status, text }) => status === 201 || (status === 409 && text.includes("idempotency_key_in_use")),
    )
      ? undefined
      : statusesOf(answers);
  },

  upserts: async (setting: Setting) => {
    const { call, resource, fixtures, text } = setting;
    // A race is run again to shrink it, when the record of its key is there.
    const key = randomUUID();
    const answers = await together(setting, (index) =>
      call({
        method: "PUT",
        path: `/${resource}/by_ext_id/{ext_id}`,
        id: key,
        body: { ...minimalOf(resource, fixtures), [text]: `${key} ${index}` },
      }),
    );
    if (new Set(answers.map(idIn)).size !== 1) return "one external id made several records";
    return unless([...answers.slice(1).map(() => 200), 201].join(" "), answers);
  },

  "there and gone": async (setting: Setting) => {
    const id = await make(setting);
    const { call, resource, text, key } = setting;
    const one = `/${resource}/{id}`;
    const calls: Call[] = [
      { method: "DELETE", path: one, id },
      { method: "PATCH", path: one, id, body: { [text]: key } },
      { method: "POST", path: `${one}/restore`, id },
      { method: "GET", path: one, id },
      { method: "DELETE", path: one, id },
    ];
    const answers = await together({ ...setting, times: setting.times * 2 }, (index) =>
      call(calls[index % calls.length] ?? { method: "GET", path: one, id }),
    );
    const end = [
      await call({ method: "POST", path: `${one}/restore`, id }),
      await call({ method: "GET", path: one, id }),
    ];
    if (end[1]?.status !== 200) return "the record is neither there nor restorable";
    return answers.every(({ status }) => status === 200 || status === 404 || status === 409)
      ? undefined
      : statusesOf(answers);
  },

  batches: async (setting: Setting) => {
    const ids = [await make(setting), await make(setting), await make(setting)];
    const { call, resource, text, key } = setting;
    const answers = await together(setting, (index) => {
      const items = ids.map((id) => ({ action: "update", id, data: { [text]: `${key} ${index}` } }));
      return call({
        method: "POST",
        path: `/${resource}/batch`,
        body: { mode: "all_or_nothing", items: index % 2 === 0 ? items : items.toReversed() },
      });
    });
    return unless(answers.map(() => 200).join(" "), answers);
  },

  conversions: async (setting: Setting) => {
    const id = await make(setting, "leads");
    return onlyOne(
      await together(setting, () => setting.call({ method: "POST", path: "/leads/{id}/convert", id, body: {} })),
      409,
    );
  },

  escalations: async (setting: Setting) => {
    const id = await make(setting, "cases");
    return onlyOne(
      await together(setting, () =>
        setting.call({ method: "POST", path: "/cases/{id}/escalate", id, body: { reason: setting.key } }),
      ),
      409,
    );
  },
};
