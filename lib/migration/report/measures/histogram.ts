import { z } from "zod";

import { readsAs, suggestValue, targetValues } from "@/lib/migration/configuration/mapping-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { labelsOf } from "@/lib/migration/pipeline/map/labels";
import type { FieldReport, Fit } from "@/lib/migration/report/report-schema";
import { answerWithin } from "@/lib/migration/report/answer-within";
import { migratedOf } from "@/lib/migration/report/survey";
import type { ResourceName } from "@/lib/records/schema/resources";
import type { SalesforceClient } from "@/lib/salesforce/client";
import type { FieldDescription } from "@/lib/salesforce/describe";
import { query, select } from "@/lib/salesforce/query";

type Value = NonNullable<FieldReport["values"]>[number];

export interface PicklistValues {
  listed: Pick<FieldReport, "values" | "more_values">;
  /** Over all values, also those that are not listed. */
  totals: NonNullable<Fit["picklist"]>;
}

/** The maximum of groups that Salesforce returns for an aggregate query. As many say that there may be others. */
const MAX_GROUPS = 2000;

/** How many values of a field a report lists, the most used first. */
const MAX_LISTED = 100;

/**
 * In characters; more than a picklist value of Salesforce can have. Longer values come from a source that is not
 * Salesforce, and are ignored.
 */
const MAX_VALUE_LENGTH = 255;

const group = z.record(z.string(), z.unknown());

/** The number of records for each value of a field; null if the source cannot count them, or not all of them. */
async function countByValue(
  client: SalesforceClient,
  object: string,
  field: string,
): Promise<Map<string, number> | null> {
  const fields = [field, "COUNT(Id) records"];
  const soql = select({
    fields,
    from: object,
    where: ["IsDeleted = false", ...migratedOf(object)],
    groupBy: [field],
    limit: MAX_GROUPS,
  });
  const page = await answerWithin((signal) => query(client, soql, { all: true, signal }));
  if (!page?.done || page.records.length >= MAX_GROUPS) return null;
  const groups = page.records.map((record) => group.parse(record));
  const values = groups.flatMap((row) => {
    const value = row[field];
    return typeof value === "string" && value.length <= MAX_VALUE_LENGTH ? [[value, Number(row.records)] as const] : [];
  });
  return new Map(values);
}

/**
 * The values of a picklist whose target takes fixed values, the most used first, including inactive values and values
 * that are not in the list; and how many there are beyond the {@link MAX_LISTED} that are listed.
 */
export async function picklistValues(
  client: SalesforceClient,
  object: string,
  field: FieldDescription,
  target: { resource: ResourceName; name: string },
): Promise<PicklistValues> {
  const counts = field.groupable ? await countByValue(client, object, field.name) : null;
  const listed = new Map(field.picklistValues.map(({ value, active }) => [value, active]));
  const labels = labelsOf(field);
  const values = [...new Set([...listed.keys(), ...(counts?.keys() ?? [])])].map((source) => {
    const label = labels.get(source);
    return {
      source,
      ...(label !== undefined && { label }),
      count: counts ? (counts.get(source) ?? 0) : null,
      active: listed.get(source) ?? false,
      suggestion: suggestValue(target.resource, target.name, source, label),
    };
  });
  const shown = values.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0)).slice(0, MAX_LISTED);
  const more = values.length > MAX_LISTED && { more_values: values.length - MAX_LISTED };
  return { listed: { values: shown, ...more }, totals: totalsOf(values) };
}

function totalsOf(values: readonly Value[]): PicklistValues["totals"] {
  const used = values.filter(({ count }) => count !== 0);
  const outcomes = Map.groupBy(used, ({ source, suggestion }) => {
    if (suggestion === null) return "unknown";
    return readsAs(source, suggestion) ? "same" : "translated";
  });
  const counted = values.every(({ count }) => count !== null);
  const sum = (outcome: "same" | "translated" | "unknown") =>
    counted ? (outcomes.get(outcome) ?? []).reduce((total, { count }) => total + (count ?? 0), 0) : null;
  return {
    same: sum("same"),
    translated: sum("translated"),
    unknown: sum("unknown"),
    unknown_values: outcomes.get("unknown")?.length ?? 0,
  };
}

/** Whether a source field is a picklist whose target takes fixed values only. */
export function needsTranslation(
  object: SourceObjectName,
  field: FieldDescription,
  target: string | null,
): target is string {
  return /picklist|combobox/.test(field.type) && targetValues(object, target) !== null;
}
