import { z } from "zod";

import type { AppError } from "@/lib/errors";
import { idInput } from "@/lib/input/ids-and-times";
import { parseInput } from "@/lib/input/parse-input";
import type { Suggest } from "@/lib/input/suggest";
import { catchRefusal } from "@/lib/records/batch/item-refusals";
import type { Entity } from "@/lib/records/schema/entity";
import { createInput, extIdInput, updateInput, upsertInput, type Values } from "@/lib/records/schema/write-input";

/** The change of one record. An upsert changes the record with this `ext_id`, or creates it. */
export type BatchItem =
  | { action: "create"; data: Values }
  | { action: "update"; id: string; if_match?: number | undefined; data: Values }
  | { action: "upsert"; ext_id: string; if_match?: number | undefined; data: Values };

/** An invalid item, unchanged; {@link readItem} gives its faults. */
interface UnreadableItem {
  action: "unreadable";
  raw: unknown;
}

export type GivenItem = BatchItem | UnreadableItem;

const ACTION_FAULT = "`action` is create, update or upsert.";

const ITEM_FAULT = 'An item is an object: `{"action": …, "data": {…}}`.';

const anything = z.record(z.string(), z.unknown(), "`data` is an object: the fields of the record.");

const VERSION_FAULT = "`if_match` is the `version` of the record: a whole number from 1.";

/** `If-Match` for one item; a batch has many records. */
const versionInput = z
  .int32(VERSION_FAULT)
  .min(1, VERSION_FAULT)
  .exactOptional()
  .describe(
    "The `version` of the record as you know it. If it has another one, or does not exist, the item fails with " +
      "`precondition_failed`.",
  );

/** The schema of an item, with the entity's fields or with any. */
function itemInput(create: z.ZodType, update: z.ZodType, upsert: z.ZodType) {
  return z.discriminatedUnion(
    "action",
    [
      z.strictObject({ action: z.literal("create"), data: create }),
      z.strictObject({
        action: z.literal("update"),
        id: idInput("This must be the id of a record."),
        if_match: versionInput,
        data: update,
      }),
      z.strictObject({ action: z.literal("upsert"), ext_id: extIdInput, if_match: versionInput, data: upsert }),
    ],
    { error: ({ input }) => (typeof input === "object" && input !== null ? ACTION_FAULT : ITEM_FAULT) },
  );
}

const itemFrame = itemInput(anything, anything, anything);

/**
 * The schema of a batch's items. An invalid item passes as {@link UnreadableItem}, so that it can be refused
 * separately; the API description shows the strict schema. (To find a value for the description, zod also calls the
 * callback without a fault.)
 */
export function batchItemInput(entity: Entity): z.ZodType<GivenItem> {
  const input = itemInput(
    createInput(entity),
    updateInput(entity),
    upsertInput(entity),
  ) as unknown as z.ZodType<GivenItem>;
  return input.catch(
    (fault: { value: unknown } | undefined) => (fault && { action: "unreadable", raw: fault.value }) as GivenItem,
  );
}

interface DataSchemas {
  create: z.ZodType<Values>;
  update: z.ZodType<Values>;
  upsert: z.ZodType<Values>;
}

// Building a schema takes longer than parsing with it.
const schemas = new WeakMap<Entity, DataSchemas>();

function schemasOf(entity: Entity): DataSchemas {
  const known = schemas.get(entity) ?? {
    create: createInput(entity),
    update: updateInput(entity),
    upsert: upsertInput(entity),
  };
  schemas.set(entity, known);
  return known;
}

/** The item, or its refusal, with pointers relative to the item. All items share one `suggest`. */
export function readItem(
  entity: Entity,
  given: GivenItem,
  suggest: Suggest,
): { item: BatchItem } | { error: AppError } {
  if (given.action !== "unreadable") return { item: given };
  const framed = catchRefusal("", () =>
    parseInput(itemFrame, given.raw, "The item is not valid; see `errors`.", suggest),
  );
  if ("error" in framed) return framed;
  const schema = schemasOf(entity)[framed.value.action];
  const data = catchRefusal("/data", () =>
    parseInput(schema, framed.value.data, "Some of the fields are not valid; see `errors`.", suggest),
  );
  return "error" in data ? data : { item: { ...framed.value, data: data.value } };
}

/** The record that an upsert creates where there is none. Only now are the required fields checked. */
export function parseCreation(entity: Entity, extId: string, data: Values): { value: Values } | { error: AppError } {
  const detail =
    `There is no ${entity.label} with this external id yet, and some of the fields to create one are missing; see ` +
    `\`errors\`.`;
  return catchRefusal("/data", () => parseInput(schemasOf(entity).create, { ...data, ext_id: extId }, detail));
}
