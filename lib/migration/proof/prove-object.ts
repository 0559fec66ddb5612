import { postgresCode, QUERY_CANCELED } from "@/lib/database/error-codes";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { planObject } from "@/lib/migration/pipeline/map/plan";
import { type Comparing, type ComparingFields, compareIds } from "@/lib/migration/proof/compare-ids";
import { compareRelationship } from "@/lib/migration/proof/compare-relationships";
import { compareAmount, comparePicklist, type Corrections, notCompared } from "@/lib/migration/proof/compare-values";
import { type Compared, comparedFields } from "@/lib/migration/proof/compared-fields";
import { countKept } from "@/lib/migration/proof/kept-records";
import { readSurvivors } from "@/lib/migration/proof/merged-records";
import {
  CHOICES_CHANGED,
  isUnproven,
  KEPT_BY_CHOICE,
  NOT_COUNTED,
  TOO_SLOW_HERE,
  UNANSWERED,
  UNKNOWN_ORDER,
} from "@/lib/migration/proof/not-compared-reasons";
import { listOtherRecords, MAX_OTHER_RECORDS } from "@/lib/migration/proof/other-records";
import { type Comparison, MAX_SHOWN_IDS, type ObjectProof } from "@/lib/migration/proof/proof-schema";
import { findNotInSource, MAX_NOT_IN_SOURCE } from "@/lib/migration/proof/records-not-in-source";
import { SourceSums } from "@/lib/migration/proof/source-sums";
import { readAgain } from "@/lib/migration/pipeline/read/read-by-ids";
import { describeVisible } from "@/lib/migration/pipeline/read/visible-fields";
import { countChanged } from "@/lib/migration/pipeline/read/window";
import type { ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { isFault, isQueryRefused, isQueryTooLarge } from "@/lib/salesforce/refusals";
import type { SourceRecord } from "@/lib/salesforce/query";

/** Compares one object with the source: ids, children per parent, sums of amounts, counts by picklist value. */
export async function proveObject(
  source: Omit<Comparing, "plan">,
  object: SourceObjectName,
  choices: ObjectConfiguration | undefined,
): Promise<ObjectProof> {
  const fields = await describeVisible(source.client, object);
  const comparing: Comparing = { ...source, plan: planObject(object, fields, choices) };
  const compared = comparedFields(comparing.plan, fields);
  const sums = compared.hasCurrencies ? new SourceSums(compared.amounts, compared.currency) : null;
  const { ids: sourceIds, ...ids } = await compareIds(comparing, sums);
  const notInSource = await findNotInSource(source.key, comparing.plan, sourceIds);
  const changed = await countChanged(source.client, object, source.window);
  const kept = await countKept(comparing);
  const values = await compareFields({ ...comparing, notInSource, sums }, compared);
  const comparisons = [...values.relationships, ...values.amounts, ...values.picklists];
  const proven = ids.missing === 0 && kept === null && comparisons.every(isEqual);
  return {
    object,
    ...ids,
    changed_since: changed,
    not_compared: kept,
    not_in_source: notInSource.length > 0 ? describeOthers(notInSource) : null,
    ...values,
    proven,
  };
}

function describeOthers(ids: readonly string[]): NonNullable<ObjectProof["not_in_source"]> {
  return { records: ids.length, ids: ids.slice(0, MAX_SHOWN_IDS) };
}

function isEqual({ different, not_compared_because: because }: Comparison): boolean {
  return different === 0 && !isUnproven(because);
}

/** One query of many may be refused, fail or take too long, there or here: the others are compared all the same. */
async function unlessUnanswered(field: string, comparison: Promise<Comparison>): Promise<Comparison> {
  try {
    return await comparison;
  } catch (error) {
    if (isQueryTooLarge(error) || isQueryRefused(error) || isFault(error)) return notCompared(field, UNANSWERED);
    if (postgresCode(error) === QUERY_CANCELED) return notCompared(field, TOO_SLOW_HERE);
    throw error;
  }
}

async function compareFields(
  comparing: ComparingFields,
  fields: Compared,
): Promise<Pick<ObjectProof, "relationships" | "amounts" | "picklists">> {
  const { relationships, amounts, picklists, currency } = fields;
  const corrections = await correctionsOf(comparing, fields);
  if (typeof corrections === "string") {
    const skip = (name: string): Comparison => notCompared(name, corrections);
    return {
      relationships: relationships.map(({ field, parent }) => ({ ...skip(field), parent })),
      amounts: amounts.map(({ source }) => skip(source)),
      picklists: picklists.map(({ source }) => skip(source)),
    };
  }
  const compared = { relationships: [], amounts: [], picklists: [] } as Record<
    "relationships" | "amounts" | "picklists",
    Comparison[]
  >;
  for (const relationship of relationships) {
    const { field, parent } = relationship;
    const comparison =
      relationship.choice === "keep_id"
        ? notCompared(field, KEPT_BY_CHOICE)
        : await unlessUnanswered(field, compareRelationship(comparing, relationship, countBy(corrections, field)));
    compared.relationships.push({ ...comparison, parent });
  }
  for (const field of amounts)
    compared.amounts.push(await unlessUnanswered(field.source, compareAmount(comparing, field, currency, corrections)));
  for (const field of picklists)
    compared.picklists.push(await unlessUnanswered(field.source, comparePicklist(comparing, field, corrections)));
  return compared;
}

/** The records of which sums of the source have to be corrected; or why these cannot be compared. */
async function correctionsOf(comparing: ComparingFields, compared: Compared): Promise<Corrections | string> {
  const { relationships, amounts, picklists, currency } = compared;
  const because = whyNoField(comparing);
  if (because !== null) return because;
  const ids = await listOtherRecords(comparing);
  if (ids.length > MAX_OTHER_RECORDS)
    return `More than ${MAX_OTHER_RECORDS} records are left out or merged, too many to be read again.`;
  const fields = [...amounts, ...picklists, ...(currency && amounts.length > 0 ? [currency] : [])];
  const names = [...new Set([...relationships.map(({ field }) => field), ...fields.map(({ source }) => source)])];
  if (names.length === 0) return { others: [], become: [] };
  const survivors = await readSurvivors(comparing, fields, relationships);
  if (survivors.ids.length > 0 && isOrderOfMergesUnknown(comparing)) return UNKNOWN_ORDER;
  const others: SourceRecord[] = [];
  for await (const page of readAgain(comparing, [...new Set([...ids, ...survivors.ids])], ["Id", ...names]))
    others.push(...page);
  return { others, become: survivors.become };
}

function whyNoField({ plan, choicesChanged, notInSource }: ComparingFields): string | null {
  if (choicesChanged) return CHOICES_CHANGED;
  if (plan.object.hasNoAggregates) return NOT_COUNTED;
  if (notInSource.length <= MAX_NOT_IN_SOURCE) return null;
  return `More than ${MAX_NOT_IN_SOURCE} records are here that the org does not have, too many to be told apart.`;
}

function isOrderOfMergesUnknown({ plan }: Comparing): boolean {
  return plan.main.links.some(({ choice }) => choice === "leave_out");
}

/** How many records more name each parent in the source than are to be found here. */
function countBy({ others, become }: Corrections, field: string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (records: readonly SourceRecord[], by: number) => {
    for (const { [field]: parent } of records)
      if (typeof parent === "string") counts.set(parent, (counts.get(parent) ?? 0) + by);
  };
  count(others, 1);
  count(become, -1);
  return counts;
}
