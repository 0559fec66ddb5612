import type { Table } from "../data/table";
import { ApiError, notFound } from "../server/api-error";
import { ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";

const MINUTE = 60_000;
const MAX_WINDOW = 30 * 86_400_000;

interface Span {
  readonly table: Table;
  readonly from: string;
  readonly to: string;
}

function parseDate(text: string | null, name: string): number {
  const moment = Date.parse((text ?? "").replace(" ", "+"));
  if (Number.isNaN(moment))
    throw new ApiError(400, "INVALID_REPLICATION_DATE", `${name} date is required and must be a datetime`);
  // Seconds are ignored.
  return Math.floor(moment / MINUTE) * MINUTE;
}

const formatDate = (moment: number): string => `${new Date(moment).toISOString().slice(0, 23)}+0000`;

function readSpan({ org, search }: Exchange, name = ""): Span {
  const table = org.database.table(name);
  if (!table) throw notFound();
  const [from, to] = [parseDate(search.get("start"), "start"), parseDate(search.get("end"), "end")];
  if (to - from < MINUTE)
    throw new ApiError(400, "INVALID_REPLICATION_DATE", "startDate must be at least one minute before endDate");
  if (to - from > MAX_WINDOW) throw new ApiError(400, "EXCEEDED_MAX_WINDOW", "the window may not exceed 30 days");
  return { table, from: formatDate(from), to: formatDate(to) };
}

function changedWithin({ table, from, to }: Span, deleted: boolean): { id: string; at: string }[] {
  const stampField = table.field("SystemModstamp");
  if (!stampField) return [];
  const changes: { id: string; at: string }[] = [];
  for (let ordinal = 0; ordinal < table.size; ordinal++) {
    // Those that were purged as well, though no query returns them.
    if (table.isDeleted(ordinal) !== deleted) continue;
    const at = table.read(stampField, ordinal);
    if (typeof at === "string" && at >= from && at < to) changes.push({ id: table.idAt(ordinal) ?? "", at });
  }
  return changes;
}

export const updated: Handler = (exchange, name) => {
  const span = readSpan(exchange, name);
  return ok({ ids: changedWithin(span, false).map(({ id }) => id), latestDateCovered: span.to });
};

export const deleted: Handler = (exchange, name) => {
  const span = readSpan(exchange, name);
  const deletedRecords = changedWithin(span, true).map(({ id, at }) => ({ deletedDate: at, id }));
  return ok({ deletedRecords, earliestDateAvailable: "2016-12-01T09:00:00.000+0000", latestDateCovered: span.to });
};
