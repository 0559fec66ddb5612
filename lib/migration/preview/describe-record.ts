import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { textOf } from "@/lib/migration/objects/declaration";
import type { Issue } from "@/lib/migration/pipeline/map/transform";
import { fieldsOf, fillersOf, shown, type Surroundings } from "@/lib/migration/preview/describe-fields";
import type { PreviewedLink, PreviewedRecord, SampledAs } from "@/lib/migration/preview/preview-schema";
import type { Rehearsed } from "@/lib/migration/preview/rehearse";
import type { View } from "@/lib/migration/preview/find-stored";
import { isSalesforceId, to18 } from "@/lib/salesforce/ids";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Describes what the import made of a record, field by field. */
export function describeRecord(rehearsed: Rehearsed, as: SampledAs[], around: Surroundings): PreviewedRecord {
  const { extId, source, outcome, issue, before, after, plan, recordId } = rehearsed;
  const view = issue || !after ? null : after.view;
  const stored = after ?? before;
  return {
    ext_id: extId,
    name: nameOf(source),
    sampled_as: as,
    outcome,
    resource: stored ? stored.resource : plan.shape.resource,
    record_id: recordId,
    cause: causeOf(issue),
    fields: fieldsOf(rehearsed, view, around),
    fillers: fillersOf(rehearsed, view, around),
    links: linksOf(rehearsed, view, around),
    edited_here: before !== null && before.isEdited,
    overwritten: differences(before?.view, view, around),
  };
}

/** Why a record is left out, as the answer says it. */
export function causeOf(issue: Issue | null): PreviewedRecord["cause"] {
  return issue && { code: issue.code, field: issue.field, value: issue.value, reason: issue.reason };
}

function nameOf(source: SourceRecord): string | null {
  const first = ["Name", "Subject", "CaseNumber", "LastName", "Title"].find((field) => textOf(source, field) !== null);
  return first === undefined ? null : textOf(source, first);
}

function linksOf({ source, plan }: Rehearsed, view: View | null, around: Surroundings): PreviewedLink[] {
  return plan.links.flatMap(({ field, column, prefix, choice }): PreviewedLink[] => {
    const value = source[field];
    if (typeof value !== "string" || !isSalesforceId(value) || !value.startsWith(prefix ?? "")) return [];
    const recordId = (view?.[column] as string | null | undefined) ?? null;
    const extId = to18(value);
    const link = { field, ext_id: extId, target: column, record_id: recordId };
    if (!view) return [{ ...link, state: "not_stored", note: null }];
    if (recordId) return [{ ...link, state: "linked", note: null }];
    return [{ ...link, state: choice === "heal" ? "heals" : "kept", note: whyEmpty(extId, around) }];
  });
}

function whyEmpty(extId: string, { parents }: Surroundings): string {
  const parent = parents.get(extId);
  if (parent?.issue) return `The record ${extId} is not imported itself: ${parent.issue.reason}`;
  return (
    `The record ${extId} is not here, and a run would not import it: its object is not selected, or it was deleted ` +
    "in Salesforce or is hidden from the Salesforce user."
  );
}

/** What every change changes. */
const NOT_CONTENT = new Set(["version", "updated_at", "position"]);

function differences(
  before: View | undefined,
  after: View | null,
  around: Surroundings,
): PreviewedRecord["overwritten"] {
  if (!before || !after) return [];
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((field) => !NOT_CONTENT.has(field) && JSON.stringify(old[field]) !== JSON.stringify(now[field]))
    .map((field) => ({ field, before: shown(old[field], around), after: shown(now[field], around) }));
}

function flat({ custom_fields: custom, ...fields }: View): Record<string, unknown> {
  const own = Object.entries(custom).map(([name, value]) => [`${CUSTOM_FIELDS}.${name}`, value] as const);
  return { ...fields, ...Object.fromEntries(own) };
}
