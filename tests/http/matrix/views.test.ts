import { beforeAll, describe, expect, test } from "vitest";

import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";
import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";

import { pool } from "@/tests/support/owner";
import { callRoute } from "@/tests/http/support/call-route";
import { leaksOf } from "@/tests/http/matrix/support/kept";
import { createSides, makeMember, makeRecord, type Side } from "@/tests/http/matrix/support/side";

let ours: Side;
let theirs: Side;

beforeAll(async () => {
  ({ ours, theirs } = await createSides());
});

const references = RESOURCES.flatMap((resource) =>
  Object.entries<Field>((ENTITIES[resource] satisfies Entity).fields).flatMap(([field, { references: to }]) =>
    to ? [{ resource, field, to }] : [],
  ),
);

function make(side: Side, to: ResourceName | "users"): Promise<string> {
  return to === "users" ? makeMember(side) : makeRecord(side, to);
}

/** The expanded value in our response, single and in the list. */
async function expanded(
  resource: ResourceName,
  id: string,
  field: string,
): Promise<{ shown: unknown[]; texts: string }> {
  const name = field.replace(/_id$/, "");
  const one = await callRoute("GET", `/${resource}/${id}?expand=${name}`, ours.bearer);
  const list = await callRoute("GET", `/${resource}?expand=${name}&limit=200`, ours.bearer);
  const listed = (JSON.parse(list.text) as { data: Record<string, unknown>[] }).data.find((record) => record.id === id);
  return {
    shown: [(JSON.parse(one.text) as Record<string, unknown>)[name], listed?.[name]],
    texts: one.text + list.text,
  };
}

const FOREIGN_KEY_VIOLATION = "23503";

describe.each(references)("$resource with $field", ({ resource, field, to }) => {
  test("show in full what is our own", async () => {
    const target = await make(ours, to);
    const { shown } = await expanded(resource, await makeRecord(ours, resource, { [field]: target }), field);
    expect(shown).toEqual([expect.objectContaining({ id: target }), expect.objectContaining({ id: target })]);
    expect(JSON.stringify(shown)).toContain(ours.marker);
  });

  test("show nothing of another organization, even if a row refers to it", async () => {
    const target = await make(theirs, to);
    const stored = makeRecord(ours, resource, { [field]: target });
    const outcome = stored
      .then((id) => shownOf(resource, id, field, target))
      .catch((error: { code?: string }) => error.code);
    expect(["nothing", FOREIGN_KEY_VIOLATION]).toContain(await outcome);
    await pool().query(`DELETE FROM ${resource} WHERE organization_id = $1 AND "${field}" = $2`, [
      ours.organizationId,
      target,
    ]);
  });
});

/** What is shown of a reference that leads out of the organization. */
async function shownOf(resource: ResourceName, id: string, field: string, target: string): Promise<string> {
  const { shown, texts } = await expanded(resource, id, field);
  const seen = [...shown.filter((each) => each !== null), ...(await leaksOf(theirs, texts, target))];
  return seen.length === 0 ? "nothing" : JSON.stringify(seen);
}

test.each(references.filter(({ to }) => to === "users"))(
  "$resource do not show as $field who is a member no more",
  async ({ resource, field }) => {
    const former = await makeMember(ours);
    const id = await makeRecord(ours, resource, { [field]: former });
    await pool().query("DELETE FROM memberships WHERE user_id = $1", [former]);
    expect((await expanded(resource, id, field)).shown).toEqual([null, null]);
  },
);

test("if a lead's owner belongs to another organization, the converting user owns the new records", async () => {
  const id = await makeRecord(ours, "leads", { owner_id: theirs.userId });
  const { status, text } = await callRoute("POST", `/leads/${id}/convert`, ours.bearer, {
    create_opportunity: { name: "Sale", close_date: "2026-12-31" },
  });
  expect({ status, text }).toMatchObject({ status: 200 });
  const made = JSON.parse(text) as Record<"account" | "contact" | "opportunity", { id: string }>;
  for (const path of [
    `accounts/${made.account.id}`,
    `contacts/${made.contact.id}`,
    `opportunities/${made.opportunity.id}`,
  ]) {
    expect(JSON.parse((await callRoute("GET", `/${path}`, ours.bearer)).text)).toMatchObject({ owner_id: ours.userId });
  }
});
