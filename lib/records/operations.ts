import { z } from "zod";

import { pathId } from "@/lib/id-input";
import { defineOperation, type Operation } from "@/lib/operation";
import type { Entity } from "@/lib/records/entity";
import { filterSchemas } from "@/lib/records/filters";
import { getRecord } from "@/lib/records/get-record";
import { listRecords } from "@/lib/records/list-records";
import { pageInput, pageOutput } from "@/lib/page";
import { ENTITIES } from "@/lib/records/registry";
import type { ResourceName } from "@/lib/records/resources";

type OutputOf<Resource extends ResourceName> = Extract<(typeof ENTITIES)[Resource]["output"], z.ZodType>;

function declareList(entity: Entity) {
  return defineOperation({
    name: `list_${entity.resource}`,
    summary: `List ${entity.resource.replaceAll("_", " ")}, newest first.`,
    scopes: entity.readScopes,
    // The filters differ from entity to entity, so the type knows only what all lists take.
    input: z.strictObject({ ...pageInput, ...(filterSchemas(entity) as unknown as Record<never, z.ZodType>) }),
    output: pageOutput(entity.output),
    run: (context, { limit, cursor, ...filters }) => listRecords(entity, context.organizationId, { limit, cursor, filters }),
  });
}

function declareGet(entity: Entity) {
  return defineOperation({
    name: `get_${entity.label.replaceAll(" ", "_")}`,
    summary: `Get one ${entity.label}.`,
    scopes: entity.readScopes,
    input: z.strictObject({ id: pathId(entity.label) }),
    output: entity.output,
    run: (context, { id }) => getRecord(entity, context.organizationId, id),
  });
}

type ListOf<Resource extends ResourceName> = Operation<ReturnType<typeof declareList>["input"], ReturnType<typeof pageOutput<OutputOf<Resource>>>>;
type GetOf<Resource extends ResourceName> = Operation<ReturnType<typeof declareGet>["input"], OutputOf<Resource>>;

function declareForAll<Declared>(declare: (entity: Entity) => Declared): Map<string, Declared> {
  return new Map(Object.values<Entity>(ENTITIES).map((entity) => [entity.resource, declare(entity)]));
}

const lists = declareForAll(declareList);
const gets = declareForAll(declareGet);

/** The operation that lists a resource: one page of JSON, `{data, next_cursor, has_more}`. */
export function listOperation<Resource extends ResourceName>(resource: Resource): ListOf<Resource> {
  return lists.get(resource) as unknown as ListOf<Resource>;
}

/** The operation that gets one record of a resource, or throws `not_found`. */
export function getOperation<Resource extends ResourceName>(resource: Resource): GetOf<Resource> {
  return gets.get(resource) as unknown as GetOf<Resource>;
}
