import { z } from "zod";

import { pathId, timestampOutput } from "@/lib/input/ids-and-times";
import { defineOperation, type Operation } from "@/lib/operation";
import { deleteRecord, RESTORABLE_DAYS } from "@/lib/records/delete/delete-record";
import { refusalWithDeletion } from "@/lib/records/delete/find-deletion";
import { restoreRecord } from "@/lib/records/delete/restore-record";
import { getRecord } from "@/lib/records/get-record";
import { assertMayFilterByMigration } from "@/lib/records/list/filters";
import { listInput, listRequest, listOutput } from "@/lib/records/list/list-input";
import { listRecords } from "@/lib/records/list/list-records";
import type { Entity } from "@/lib/records/schema/entity";
import { perResource } from "@/lib/records/schema/registry";
import type { ResourceName } from "@/lib/records/schema/resources";
import { assertMayExpand, viewInput, viewOutput } from "@/lib/records/schema/view";
import { createInput, updateInput } from "@/lib/records/schema/write-input";
import { createRecord } from "@/lib/records/write/create-record";
import { updateRecord } from "@/lib/records/write/update-record";
import { type RecordOf, recordOutput } from "@/lib/records/schema/field-schema";

type OutputOf<Resource extends ResourceName> = z.ZodType<RecordOf<Resource>, RecordOf<Resource>>;

function declareList(entity: Entity) {
  return defineOperation({
    name: `list_${entity.resource}`,
    summary: `List ${entity.resource.replaceAll("_", " ")}, newest first by default.`,
    scopes: entity.readScopes,
    input: listInput(entity),
    output: listOutput(viewOutput(entity)),
    run: (context, parameters) => {
      const request = listRequest(entity, parameters, context);
      if (request.filters.migration_id) assertMayFilterByMigration(context);
      if (request.expand) assertMayExpand(context, request.expand);
      return listRecords(entity, context.organizationId, request);
    },
  });
}

function declareGet(entity: Entity) {
  return defineOperation({
    name: `get_${entity.singular}`,
    summary: `Get one ${entity.label}.`,
    scopes: entity.readScopes,
    input: z.strictObject({ id: pathId(entity.label), ...viewInput(entity) }),
    output: viewOutput(entity),
    run: async (context, { id, ...view }) => {
      if (view.expand) assertMayExpand(context, view.expand);
      try {
        return await getRecord(entity, context.organizationId, id, view);
      } catch (error) {
        throw await refusalWithDeletion(entity, context, id, error);
      }
    },
  });
}

const WRITE = ["crm:write"] as const;

function declareCreate(entity: Entity) {
  return defineOperation({
    name: `create_${entity.singular}`,
    summary: `Create ${an(entity)}.`,
    scopes: WRITE,
    stores: true,
    status: 201,
    input: createInput(entity),
    output: recordOutput(entity),
    run: (context, given) => createRecord(entity, context, given),
  });
}

function declareUpdate(entity: Entity) {
  return defineOperation({
    name: `update_${entity.singular}`,
    summary:
      `Change fields of ${an(entity)}. Omitted fields stay as they are, except those that follow from a given one; ` +
      "null clears a field; custom fields are merged by name.",
    scopes: WRITE,
    stores: true,
    conditional: true,
    input: updateInput(entity).extend({ id: pathId(entity.label) }),
    output: recordOutput(entity),
    run: (context, { id, ...given }) => updateRecord(entity, context, id, given),
  });
}

function declareDelete(entity: Entity) {
  return defineOperation({
    name: `delete_${entity.singular}`,
    summary: `Delete ${an(entity)}. It can be restored for ${RESTORABLE_DAYS} days.`,
    scopes: WRITE,
    conditional: true,
    input: z.strictObject({ id: pathId(entity.label) }),
    output: z.object({ id: z.uuidv7(), deleted: z.literal(true), restorable_until: timestampOutput }),
    run: (context, { id }) => deleteRecord(entity, context, id),
  });
}

function declareRestore(entity: Entity) {
  return defineOperation({
    name: `restore_${entity.singular}`,
    summary: `Restore ${an(entity)} that was deleted in the last ${RESTORABLE_DAYS} days.`,
    scopes: WRITE,
    stores: true,
    input: z.strictObject({ id: pathId(entity.label) }),
    output: recordOutput(entity),
    run: (context, { id }) => restoreRecord(entity, context, id),
  });
}

/** "an account", "a case comment". */
function an(entity: Entity): string {
  return `${/^[aeiou]/.test(entity.label) ? "an" : "a"} ${entity.label}`;
}

type ListOf<Resource extends ResourceName> = Operation<
  ReturnType<typeof declareList>["input"],
  ReturnType<typeof listOutput<OutputOf<Resource>>>
>;

type GetOf<Resource extends ResourceName> = Operation<ReturnType<typeof declareGet>["input"], OutputOf<Resource>>;

/** The operation that lists a resource: one page of JSON, `{data, next_cursor, has_more}`. */
export const listOperation = perResource(declareList) as unknown as <Resource extends ResourceName>(
  resource: Resource,
) => ListOf<Resource>;

/** The operation that gets one record of a resource. It throws `not_found`. */
export const getOperation = perResource(declareGet) as unknown as <Resource extends ResourceName>(
  resource: Resource,
) => GetOf<Resource>;

/** The operation that creates a record of a resource. */
export const createOperation = perResource<Operation>(declareCreate);

/** The operation that changes fields of a record of a resource. */
export const updateOperation = perResource<Operation>(declareUpdate);

/** The operation that deletes a record of a resource. */
export const deleteOperation = perResource<Operation>(declareDelete);

/** The operation that restores a deleted record of a resource. */
export const restoreOperation = perResource<Operation>(declareRestore);
