import { z } from "zod";

import { defineOperation, type Operation } from "@/lib/operation";
import { extIdInput, upsertInput } from "@/lib/records/batch-items";
import type { Entity } from "@/lib/records/entity";
import { assertMayExpand } from "@/lib/records/expansions";
import { getByExtId } from "@/lib/records/get-record";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";
import { upsertRecord } from "@/lib/records/upsert-record";
import { viewInput, viewOutput } from "@/lib/records/view-input";

function declareUpsert(entity: Entity) {
  return defineOperation({
    name: `upsert_${entity.singular}`,
    summary: `Change the ${entity.label} that has an external id, or create it. Fields that are needed to create one must be there if it is new.`,
    scopes: ["crm:write"],
    stores: true,
    conditional: true,
    createsIn: entity.resource,
    input: upsertInput(entity).extend({ ext_id: extIdInput }),
    output: entity.output,
    run: (context, { ext_id, ...given }) => upsertRecord(entity, context, ext_id, given),
  });
}

function declareGet(entity: Entity) {
  return defineOperation({
    name: `get_${entity.singular}_by_ext_id`,
    summary: `Get the ${entity.label} that has an external id.`,
    scopes: entity.readScopes,
    // Not checked: in a path, what can be no external id is 404 like one that nothing has.
    input: z.strictObject({ ext_id: z.string().describe("The external id: what another system calls the record."), ...viewInput(entity) }),
    output: viewOutput(entity),
    run: (context, { ext_id, ...view }) => {
      assertMayExpand(context, view.expand ?? []);
      return getByExtId(entity, context.organizationId, ext_id, view);
    },
  });
}

const entities = Object.values<Entity>(ENTITIES);
const upserts = new Map(entities.map((entity) => [entity.resource, declareUpsert(entity)]));
const gets = new Map(entities.map((entity) => [entity.resource, declareGet(entity)]));

/** The operation that changes the record of a resource that has an external id, or creates it. */
export function upsertOperation(resource: ResourceName): Operation {
  return upserts.get(resource) as unknown as Operation;
}

/** The operation that gets the record of a resource that has an external id, or throws `not_found`. */
export function getByExtIdOperation(resource: ResourceName): Operation {
  return gets.get(resource) as unknown as Operation;
}
