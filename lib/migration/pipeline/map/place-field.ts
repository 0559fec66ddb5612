import { fieldOf, enumValues, readsAs, suggestValue } from "@/lib/migration/configuration/mapping-rules";
import { cleanJson, cleanText, type Draft } from "@/lib/migration/objects/declaration";
import { type Convert, CONVERSIONS } from "@/lib/migration/pipeline/map/convert";
import type { Labels } from "@/lib/migration/pipeline/map/labels";
import type { ResourceName } from "@/lib/records/schema/resources";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";

/** Puts a value, not null, into a draft. */
export type Place = (value: unknown, draft: Draft) => void;

/** The choices of the user for the values of one source field. */
type ValueMap = Record<string, string>;

/** Puts a value into `custom_fields` under the name of its source field. */
export function placeInCustomFields(source: string): Place {
  return (value, draft) => {
    draft.customFields[source] = typeof value === "string" ? cleanText(value) : cleanJson(value);
  };
}

/**
 * Puts a value into a column. A value that does not fit, or only in part, is also kept unchanged in `custom_fields`.
 */
export function placeInColumn(
  resource: ResourceName,
  source: string,
  target: string,
  values: ValueMap,
  labels: Labels = new Map(),
): Place {
  const keep = placeInCustomFields(source);
  const { kind } = fieldOf(resource, target);
  if (kind === "reference") return placeReference(source, target, keep);
  const convert =
    source === "RecordTypeId" && kind === "text"
      ? toRecordTypeName(labels)
      : withChosenValues(converterOf(resource, target, labels), values);
  return (value, draft) => {
    const conversion = convert(value);
    if (conversion) draft.columns[target] = conversion.value;
    if (!conversion?.exact) keep(value, draft);
  };
}

/** The name of a record type says what its id does not. The id stays beside it. */
function toRecordTypeName(labels: Labels): Convert {
  return (value) => {
    const name = labels.get(String(value));
    return name === undefined ? CONVERSIONS.text(value) : { value: cleanText(name), exact: false };
  };
}

function placeReference(source: string, target: string, keep: Place): Place {
  return (value, draft) => {
    if (typeof value === "string" && isSalesforceId(value))
      draft.references[target] = { extId: to18(value), from: source };
    else keep(value, draft);
  };
}

function converterOf(resource: ResourceName, target: string, labels: Labels): Convert {
  const { kind } = fieldOf(resource, target);
  if (kind === "enum") return toEnum(resource, target, labels);
  if (kind === "id" || kind === "object" || kind === "reference")
    throw new Error(`No source field can be mapped onto ${target}.`);
  return CONVERSIONS[kind];
}

function toEnum(resource: ResourceName, target: string, labels: Labels): Convert {
  const cache = new Map<string, ReturnType<Convert>>();
  return (value) => {
    if (typeof value !== "string") return null;
    const found = cache.get(value);
    if (found !== undefined) return found;
    const meant = suggestValue(resource, target, value, labels.get(value));
    const conversion = meant === null ? null : { value: meant, exact: readsAs(value, meant) };
    cache.set(value, conversion);
    return conversion;
  };
}

/** The choice of the user for a value takes precedence over ours. */
function withChosenValues(convert: Convert, values: ValueMap): Convert {
  if (Object.keys(values).length === 0) return convert;
  return (value) => {
    const chosen = typeof value === "string" && Object.hasOwn(values, value) ? values[value] : undefined;
    if (chosen === undefined) return convert(value);
    const conversion = convert(chosen);
    return conversion && { value: conversion.value, exact: chosen === value || readsAs(String(value), chosen) };
  };
}

/** A chosen value that the target cannot take, or null. */
export function findUnknownChoice(resource: ResourceName, target: string, values: ValueMap): string | null {
  const options = enumValues(resource, target);
  return options ? (Object.values(values).find((value) => !options.includes(value)) ?? null) : null;
}
