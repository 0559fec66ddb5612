import { createOperation, deleteOperation, updateOperation } from "@/lib/records/operations";
import type { Entity } from "@/lib/records/schema/entity";
import type { Field } from "@/lib/records/schema/field";
import { NEEDED } from "@/tests/support/factories";
import { ENTITIES } from "@/lib/records/schema/registry";
import { type ResourceName, RESOURCES } from "@/lib/records/schema/resources";
import { recordAudit } from "@/lib/security/audit";
import { startSession } from "@/lib/sessions/browser-sessions/session-store";
import { settled } from "@/tests/records/support/read-events";
import { run } from "@/tests/records/support/write-operations";
import { pool } from "@/tests/support/owner";

import { makeWebhook } from "@/tests/http/matrix/support/made-webhook";
import {
  makeClient,
  makeGrant,
  makeIssue,
  makeMember,
  makeFile,
  makeMigration,
  makeRecord,
  type Side,
} from "@/tests/http/matrix/support/side";

/** An organization with something in every list. */
export interface Populated extends Side {
  /** The record of each resource that all others refer to. */
  base: Record<ResourceName, string>;
  /** Changed again and again, so that there are events and stage changes. */
  account: string;
  opportunity: string;
  migration: string;
  client: string;
  /** Sent whatever happens to the account and the opportunity. */
  webhook: { id: string; event_id: string };
}

/** Both sides have people with this number. */
export const PHONE = "+49 30 4455667";

const ROUNDS = 3;
const STAGES = ["qualification", "proposal", "negotiation"];

/** Fills both sides in turns, so that a row of one lies between rows of the other. */
export async function populate(sides: readonly Side[]): Promise<Populated[]> {
  const populated: Populated[] = [];
  for (const side of sides) populated.push(await begin(side));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of populated) await add(side, round);
  }
  await settled();
  return populated;
}

async function begin(side: Side): Promise<Populated> {
  const base = {} as Record<ResourceName, string>;
  for (const resource of RESOURCES)
    base[resource] = await makeRecord(side, resource, resource === "case_comments" ? { case_id: base.cases } : {});
  const { id: account } = await run(createOperation("accounts"), side.context, { name: side.marker });
  const { id: opportunity } = await run(createOperation("opportunities"), side.context, NEEDED.opportunities);
  const [migration, client, webhook] = [
    await makeMigration(side),
    (await makeClient(side)).id,
    await makeWebhook(side),
  ];
  return { ...side, base, account, opportunity, migration, client, webhook };
}

async function add(side: Populated, round: number): Promise<void> {
  const { context, organizationId, userId, account, opportunity, client } = side;
  for (const resource of RESOURCES) {
    const position = resource === "case_comments" ? { position: round + 2 } : {};
    const phones = Object.fromEntries(ENTITIES[resource].phones.map((name) => [name, PHONE]));
    await makeRecord(side, resource, { ...filteredValues(side, resource), ...phones, ...position });
  }
  await run(updateOperation("accounts"), context, { id: account, name: `${side.marker} ${round}` });
  await run(updateOperation("opportunities"), context, { id: opportunity, stage: STAGES[round] });
  await run(deleteOperation("leads"), context, { id: await makeRecord(side, "leads", {}) });
  await makeMigration(side);
  await makeFile(side, side.base.cases);
  await makeIssue(side, side.migration);
  await makeMember(side);
  await startSession({ organizationId, userId, address: "192.0.2.1", browser: side.marker, method: "password" });
  await makeGrant(side);
  await makeClient(side);
  await makeWebhook(side);
  await recordAudit(pool(), { organizationId, userId, address: null }, "client.updated", {
    clientId: client,
    details: { by: side.marker },
  });
}

/**
 * The fields by which lists can be narrowed, with values that each round's records share. Unique ones are left to
 * differ.
 */
export function filteredValues(
  { base, marker, userId }: Populated,
  resource: ResourceName,
): Record<string, string | boolean> {
  const valueOf = (name: string, { kind, references, values }: Field) => {
    if (references) return references === "users" ? userId : base[references];
    if (kind === "boolean") return false;
    return values ? String(values[0]) : `${marker}-${name}@example.com`;
  };
  return Object.fromEntries(sharedFilters(resource).map(([name, field]) => [name, valueOf(name, field)]));
}

export function sharedFilters(resource: ResourceName): [string, Field][] {
  return Object.entries<Field>((ENTITIES[resource] satisfies Entity).fields).filter(
    ([, { filterable, unique }]) => filterable && !unique,
  );
}
