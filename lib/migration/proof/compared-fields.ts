import type { SourceObject } from "@/lib/migration/objects/declaration";
import { KEY_PREFIXES } from "@/lib/migration/objects/key-prefixes";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { Link, Plan } from "@/lib/migration/pipeline/map/plan";
import type { ComparedField } from "@/lib/migration/proof/compare-values";
import type { FieldDescription } from "@/lib/salesforce/describe";

/** A link that is compared. */
export interface ComparedLink extends Link {
  /** The object of its parents. */
  parent: SourceObjectName;
  /** The first characters of the ids of its parents. */
  prefix: string;
  /** Another field of the source whose id a record keeps instead, if both name the same parent, and it is not here. */
  keptAs?: string;
}

/** Fields that name a parent beside a field of its own, which names it in every record: that one is compared. */
const SECOND_FIELDS: ReadonlySet<string> = new Set(["WhatId", "RelatedToId"]);

/** A field that only an org with several currencies has. */
const CURRENCY = "CurrencyIsoCode";

/** Bounds the aggregate queries of one object. */
const MAX_FIELDS_PER_KIND = 20;

/** Fields of one object that are compared. */
export interface Compared {
  relationships: readonly ComparedLink[];
  amounts: readonly ComparedField[];
  picklists: readonly ComparedField[];
  /** The field by which amounts are told apart; null: they are all of one currency, or the user leaves it out. */
  currency: ComparedField | null;
  /** Whether the org has several currencies, also if the user leaves their field out. */
  hasCurrencies: boolean;
}

/**
 * The fields that are mapped, and that Salesforce adds up or groups by. What Salesforce calculates changes without a
 * stamp of the record, so that after a delta no sums would agree.
 */
export function comparedFields(plan: Plan, described: readonly FieldDescription[]): Compared {
  const { main, alternative } = plan;
  const mapped = new Map(main.fields.map((field) => [field.source, field]));
  const ofType = (type: string, can: "aggregatable" | "groupable") =>
    described
      .filter((field) => field.type === type && field[can] && !field.calculated)
      .flatMap(({ name }) => mapped.get(name) ?? [])
      .slice(0, MAX_FIELDS_PER_KIND);
  return {
    relationships: main.links.flatMap((link) => comparedLink(plan, link) ?? []),
    // Records of two shapes stand in two tables: their values are in the columns of neither.
    amounts: alternative ? [] : ofType("currency", "aggregatable"),
    picklists: alternative ? [] : ofType("picklist", "groupable"),
    currency: mapped.get(CURRENCY) ?? null,
    hasCurrencies: described.some(({ name }) => name === CURRENCY),
  };
}

/** How a link is compared; null: its field cannot be read, or another field has its parents. */
function comparedLink({ main, select, object }: Plan, link: Link): ComparedLink | null {
  const { field, column, target } = link;
  const parent = IMPORT_ORDER.find((name) => SOURCE_OBJECTS[name].resource === target);
  if (!parent || !select.includes(field) || !isDeclared(object, field)) return null;
  const other = main.links.find((one) => one.column === column && one.field !== field)?.field;
  if (other !== undefined && SECOND_FIELDS.has(field)) return null;
  return { ...link, parent, prefix: KEY_PREFIXES[parent], ...(other !== undefined && { keptAs: other }) };
}

/** Whether the source has ids of records in a field: the user may map a text onto the column of a link. */
function isDeclared({ fields, relations = {} }: SourceObject, field: string): boolean {
  return Object.hasOwn(fields, field) || Object.hasOwn(relations, field);
}
