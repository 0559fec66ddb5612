import type { z } from "zod";

import type { Operation } from "@/lib/operation";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES, isResource } from "@/lib/records/schema/registry";
import { recordOutput } from "@/lib/records/schema/field-schema";

/** "case_comment" → "CaseComment". */
function pascal(words: string): string {
  return words
    .split(/[_ ]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

/** Generated Java clients would take a schema named File for `java.io.File`. */
const RENAMED: Readonly<Record<string, string>> = { File: "RecordFile" };

function split({ name }: Pick<Operation, "name">): [verb: string, noun: string] {
  const end = name.indexOf("_");
  const noun = pascal(name.slice(end + 1));
  return [pascal(name.slice(0, end)), RENAMED[noun] ?? noun];
}

/** The component's name for a record of an entity: "CaseComment". */
export function nameOfRecord(entity: Pick<Entity, "label">): string {
  return pascal(entity.label);
}

/**
 * The name of a list's item: "CaseCommentView" for a record, whose fields can be selected, else "StageChange" for
 * `list_stage_changes`.
 */
export function nameOfItem({ name }: Operation): string {
  const resource = name.replace("list_", "");
  return isResource(resource)
    ? `${nameOfRecord(ENTITIES[resource])}View`
    : pascal(resource).replace(/ies$/, "y").replace(/s$/, "");
}

/** The name of a body: "AccountCreate" for `create_account`. */
export function nameOfBody(operation: Operation): string {
  const [verb, noun] = split(operation);
  return noun + verb;
}

/** The name of a response without a name of its own, after the item of a list: "AccountPage", "CaseEscalateResult". */
export function nameOfAnswer(operation: Operation, item: string | null): string {
  const [verb, noun] = split(operation);
  if (verb === "List") return `${item ?? noun}Page`;
  if (verb === "Get") return `${noun}View`;
  return verb === "Delete" ? "Deletion" : `${noun}${verb}Result`;
}

/**
 * The schemas that have the same name everywhere: every kind of record, and what the other `get_` operations return.
 */
export function namedSchemas(operations: readonly Operation[]): Map<z.core.$ZodType, string> {
  const named = new Map<z.core.$ZodType, string>();
  const entities = Object.values<Entity>(ENTITIES);
  const recordNames = new Set(entities.map(nameOfRecord));
  for (const operation of operations) {
    const [verb, noun] = split(operation);
    if (verb === "Get" && !recordNames.has(noun)) named.set(operation.output, noun);
  }
  for (const entity of entities) named.set(recordOutput(entity), nameOfRecord(entity));
  return named;
}
