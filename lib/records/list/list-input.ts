import { z } from "zod";

import type { Context } from "@/lib/context";
import { pageInput, pageOutput } from "@/lib/input/page";
import { filterSchemas, listed } from "@/lib/records/list/filters";
import { searchWords } from "@/lib/records/list/search-condition";
import type { Entity } from "@/lib/records/schema/entity";
import { ME } from "@/lib/records/schema/list-address";
import { type View, viewInput } from "@/lib/records/schema/view";
import type { Values } from "@/lib/records/schema/write-input";

/**
 * A request for a list. The usual order is that of creation, hence of ids, which no change affects; the cursor is the
 * last record's id, whatever the filters and the order.
 */
export interface ListRequest extends View {
  limit: number;
  /** Absent: by creation. */
  sort?: string | undefined;
  order: "asc" | "desc";
  cursor?: string | undefined;
  /** What the cursor's record is sorted by; see `keyOfCursor`. */
  cursorKey?: string | undefined;
  created?: TimeRange | undefined;
  changed?: TimeRange | undefined;
  /** Field name → the required value, or several of which a record has one. */
  filters: Values;
  q?: string | undefined;
  /** Only these records: a search has found them. */
  ids?: readonly string[] | undefined;
  total: boolean;
}

/** The parameters of an entity's list. */
export function listInput(entity: Entity) {
  return z.strictObject({
    ...pageInput,
    order: orderInput(entity),
    sort: sortInput(entity),
    ...viewInput(entity),
    include: z
      .literal("total", "`include` can be `total`.")
      .exactOptional()
      .describe(
        "`total`: the answer also says how many records there are on all pages together. It counts them all, so " +
          "ask for it once.",
      ),
    // The parameters differ by entity, so the type has only those of all lists.
    ...(ownParameters(entity) as unknown as Record<never, z.ZodType>),
  });
}

function ownParameters(entity: Entity): Record<string, z.ZodType> {
  return {
    ...filterSchemas(entity),
    ...timeRangeSchemas("created_at", "created"),
    ...timeRangeSchemas("updated_at", "changed"),
    ...(entity.search.length > 0 && { q: searchInput(entity) }),
  };
}

function orderInput({ sortings }: Entity) {
  const usually = (direction: string) =>
    Object.keys(sortings)
      .filter((name) => sortings[name] === direction)
      .map((name) => `\`${name}\``)
      .join(", ");
  const ascending = usually("asc");
  return z
    .enum(["asc", "desc"], "`order` must be `asc` or `desc`.")
    .exactOptional()
    .describe(
      `Ascending or descending. Absent: a list by ${usually("desc")} descends, the latest or largest first` +
        `${ascending && `; one by ${ascending} ascends, from A or the earliest on`}.`,
    );
}

function sortInput(entity: Entity) {
  const names = Object.keys(entity.sortings);
  const known = listed(names);
  return z
    .enum(names, `\`sort\` must be one of ${known}.`)
    .exactOptional()
    .describe(
      "What the list is sorted by: creation, if absent. Texts are compared without case and accents, amounts without " +
        "their currency; none is less than any, but a missing day is later. Where records change while you page, " +
        "some can appear twice or be missed; only a list by creation is always whole.",
    );
}

function searchInput(entity: Entity) {
  return searchWords
    .exactOptional()
    .describe(
      "Only records with words that begin with each of these, in " +
        `${listed(entity.search)}. Neither case nor accents matter.${phonesInput(entity)}${numberInput(entity)}`,
    );
}

function numberInput({ search }: Entity): string {
  return search.includes("case_number") ? " A case is also found by its number without the zeros." : "";
}

function phonesInput({ phones }: Entity): string {
  if (phones.length === 0) return "";
  return ` Or with the end of a phone number, of five digits or more, in ${listed(phones)}.`;
}

/** The request of parsed parameters. */
export function listRequest(
  entity: Entity,
  parameters: z.output<ReturnType<typeof listInput>>,
  caller: Pick<Context, "userId">,
): ListRequest {
  const {
    limit,
    sort = "created_at",
    order = entity.sortings[sort] ?? "desc",
    cursor,
    fields,
    expand,
    include,
    ...rest
  } = parameters;
  const values: Values = rest;
  return {
    limit,
    sort: sort === "created_at" ? undefined : sort,
    order,
    cursor,
    created: timeRangeOf("created_at", values),
    changed: timeRangeOf("updated_at", values),
    filters: filtersAmong(entity, values, caller),
    q: values.q as string | undefined,
    total: include === "total",
    fields,
    expand,
  };
}

/** The filters among the parameters of a list, each with the value that is asked for. */
function filtersAmong(entity: Entity, parameters: Values, { userId }: Pick<Context, "userId">): Values {
  const chosen = Object.entries(parameters).filter(([name]) => entity.filters.includes(name));
  const isMe = (name: string, value: unknown) => value === ME && entity.fields[name]?.references === "users";
  return Object.fromEntries(chosen.map(([name, value]) => [name, isMe(name, value) ? userId : value]));
}

/** A page of records, with the total where it was requested. */
export function listOutput<Item extends z.ZodType>(item: Item) {
  return pageOutput(item).extend({
    total: z
      .int()
      .exactOptional()
      .describe("How many records there are on all pages together; only with `include=total`."),
  });
}

/** Milliseconds since 1970: at or after `from`, and before `before`. */
export interface TimeRange {
  from?: number;
  before?: number;
}

/** A time that may lie between two of our milliseconds: the last one not after it, and the first one not before it. */
interface Moment {
  floor: number;
  ceil: number;
}

const COMPARISONS = {
  gt: { meaning: "after", bound: ({ floor }: Moment): TimeRange => ({ from: floor + 1 }) },
  gte: { meaning: "at or after", bound: ({ ceil }: Moment): TimeRange => ({ from: ceil }) },
  lt: { meaning: "before", bound: ({ ceil }: Moment): TimeRange => ({ before: ceil }) },
  lte: { meaning: "at or before", bound: ({ floor }: Moment): TimeRange => ({ before: floor + 1 }) },
};

/** The parameters `field[gt]`, `field[gte]`, `field[lt]` and `field[lte]`; `verb` names what happened at that time. */
function timeRangeSchemas(field: string, verb: string): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(COMPARISONS).map(([comparison, { meaning }]) => {
      const name = `${field}[${comparison}]`;
      return [name, timeInput(name).exactOptional().describe(`Only records ${verb} ${meaning} this time.`)];
    }),
  );
}

/** The range of the parameters of a field, as {@link timeRangeSchemas} parsed them; undefined when none is given. */
function timeRangeOf(field: string, parameters: Values): TimeRange | undefined {
  const bounds = Object.entries(COMPARISONS).flatMap(([comparison, { bound }]) => {
    const moment = parameters[`${field}[${comparison}]`];
    return moment === undefined ? [] : [bound(moment as Moment)];
  });
  if (bounds.length === 0) return undefined;
  const from = bounds.flatMap((bound) => bound.from ?? []);
  const before = bounds.flatMap((bound) => bound.before ?? []);
  return {
    ...(from.length > 0 && { from: Math.max(...from) }),
    ...(before.length > 0 && { before: Math.min(...before) }),
  };
}

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()]);

function timeInput(name: string) {
  const fault =
    `\`${name}\` must be a time like 2026-12-31T09:30:00Z, or a date, which stands for its midnight in UTC. In a URL ` +
    "the + of an offset is %2B.";
  return z
    .string(fault)
    .refine((given) => time.safeParse(given).success && !given.startsWith("0000"), fault)
    .transform(momentOf);
}

/** `Date` drops digits beyond milliseconds, but they decide which milliseconds are before the moment. */
function momentOf(given: string): Moment {
  const floor = new Date(given).getTime();
  const isBetween = /\.\d{3}\d*[1-9]/.test(given);
  return { floor, ceil: isBetween ? floor + 1 : floor };
}
