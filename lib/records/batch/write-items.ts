import type { PoolClient } from "pg";

import type { Context } from "@/lib/context";
import { inSavepoint } from "@/lib/database/transactions";
import { AppError } from "@/lib/errors";
import { assertPreconditions } from "@/lib/preconditions";
import { parseCreation, type BatchItem } from "@/lib/records/batch/batch-items";
import { findTargets, type Targets } from "@/lib/records/batch/batch-targets";
import { withPointerPrefix, catchRefusal } from "@/lib/records/batch/item-refusals";
import { noSuchRecord } from "@/lib/records/get-record";
import type { Entity } from "@/lib/records/schema/entity";
import type { Values } from "@/lib/records/schema/write-input";
import { createRecords } from "@/lib/records/write/create-record";
import type { LockedRecord } from "@/lib/records/write/lock-records";
import { changeRecords, type RecordChange } from "@/lib/records/write/update-record";

/** The outcome of one item. Pointers of a refusal are relative to the item: `/data/name`. */
export type Outcome =
  | { status: "created" | "updated" | "unchanged"; json: string }
  | { status: "failed"; error: AppError };

export interface BatchTarget {
  client: PoolClient;
  entity: Entity;
  context: Context;
}

/**
 * Writes items within the caller's transaction, all creations in one statement and all changes in another, and returns
 * an outcome per item, in their order. When a set is refused, it is halved until each item at fault is alone; only that
 * item fails, and none of its changes remain.
 */
export async function writeItems(
  target: BatchTarget,
  items: readonly BatchItem[],
  canRepeat = true,
): Promise<Outcome[]> {
  if (items.length === 0) return [];
  try {
    return await inSavepoint(target.client, () => writeSet(target, items));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (items.length > 1) return writeHalves(target, items);
    if (canRepeat && isLostRace(items[0], error)) return writeItems(target, items, false);
    return [{ status: "failed", error: withPointerPrefix("/data", error) }];
  }
}

async function writeHalves(target: BatchTarget, items: readonly BatchItem[]): Promise<Outcome[]> {
  const half = Math.ceil(items.length / 2);
  const first = await writeItems(target, items.slice(0, half));
  return [...first, ...(await writeItems(target, items.slice(half)))];
}

/** Another transaction created the record between our lookup and our insert. It can be changed now. */
function isLostRace(item: BatchItem | undefined, error: AppError): boolean {
  return (
    item?.action === "upsert" && error.code === "conflict" && error.errors.some(({ pointer }) => pointer === "/ext_id")
  );
}

type Plan =
  | { step: "create"; given: Values }
  | ({ step: "change" } & RecordChange)
  | { step: "refuse"; error: AppError };

async function writeSet(target: BatchTarget, items: readonly BatchItem[]): Promise<Outcome[]> {
  const { client, entity, context } = target;
  const targets = await findTargets(client, entity, context.organizationId, items);
  const plans = items.map((item) => planOf(target, item, targets));
  const creations = plans.filter((plan) => plan.step === "create");
  const changes = plans.filter((plan) => plan.step === "change");
  if (new Set(changes.map(({ before }) => before.id)).size < changes.length)
    throw new AppError("conflict", "Two items change the same record.");
  const givens = creations.map(({ given }) => given);
  const created = givens.length > 0 ? await createRecords(client, entity, context, givens) : [];
  const changed = changes.length > 0 ? await changeRecords(client, entity, context, changes) : [];
  const outcomes = new Map<Plan, Outcome>();
  creations.forEach((plan, index) => outcomes.set(plan, { status: "created", json: created[index]?.json ?? "null" }));
  changes.forEach((plan, index) => {
    const after = changed[index] ?? plan.before;
    outcomes.set(plan, { status: after === plan.before ? "unchanged" : "updated", json: after.json });
  });
  return plans.map(
    (plan) => outcomes.get(plan) ?? { status: "failed", error: plan.step === "refuse" ? plan.error : missingOutcome() },
  );
}

function planOf(target: BatchTarget, item: BatchItem, targets: Targets): Plan {
  const planned = catchRefusal("", () => planUnlessRefused(target, item, targets));
  return "error" in planned ? { step: "refuse", error: planned.error } : planned.value;
}

function planUnlessRefused({ entity, context }: BatchTarget, item: BatchItem, targets: Targets): Plan {
  if (item.action === "create") return { step: "create", given: item.data };
  const before = item.action === "update" ? targets.byId.get(item.id) : targets.byExtId.get(item.ext_id);
  if (!before && item.action === "update") throw notFound(entity);
  assertPreconditions(context.preconditions, before && { id: before.id, version: before.values.version });
  assertItemVersion(item.if_match, before);
  if (before) return { step: "change", before, given: item.data };
  const creation = parseCreation(entity, "ext_id" in item ? item.ext_id : "", item.data);
  return "error" in creation ? { step: "refuse", error: creation.error } : { step: "create", given: creation.value };
}

function notFound(entity: Entity): AppError {
  const { code, message } = noSuchRecord(entity);
  return new AppError(code, message, { errors: [{ pointer: "/id", code, detail: message }] });
}

/** `If-Match` for one item. */
function assertItemVersion(expected: number | undefined, before: LockedRecord | undefined): void {
  if (expected === undefined || expected === before?.values.version) return;
  const state = before ? `The record has version ${before.values.version} now` : "There is no such record";
  const detail = `${state}, which \`if_match\` rules out. Get it, and decide again.`;
  throw new AppError("precondition_failed", detail, {
    errors: [{ pointer: "/if_match", code: "precondition_failed", detail }],
  });
}

function missingOutcome(): never {
  throw new Error("A planned item has no outcome.");
}
