import { type Reply, ok } from "../server/call";
import type { Exchange, Handler } from "../server/exchange";
import type { Table } from "../data/table";
import { ApiError, notFound } from "../server/api-error";
import type { Json } from "../schema/field";
import { rowWriter, shapeOfFields } from "../soql/row-writer";
import { describeEntry, describeObject } from "./describe";

/** When the org's metadata last changed. `If-Modified-Since` at or after it is answered with 304. */
const METADATA_CHANGED = Date.UTC(2026, 5, 1, 12, 0, 0);

function unlessUnchanged(exchange: Exchange, json: () => Json): Reply {
  const since = Date.parse(exchange.headers["if-modified-since"] ?? "");
  const headers = { "Last-Modified": new Date(METADATA_CHANGED).toUTCString() };
  return since >= METADATA_CHANGED ? { status: 304, headers } : { status: 200, headers, json: json() };
}

function requireTable(exchange: Exchange, name = ""): Table {
  const table = exchange.org.database.table(name);
  if (!table) throw notFound();
  return table;
}

export const describeGlobal: Handler = (exchange) =>
  unlessUnchanged(exchange, () => ({
    encoding: "UTF-8",
    maxBatchSize: 200,
    sobjects: exchange.org.database.tables("data").map((table) => describeEntry(table, exchange.root)),
  }));

export const describe: Handler = (exchange, name) => {
  const table = requireTable(exchange, name);
  return unlessUnchanged(exchange, () => describeObject(exchange.org.database, table, exchange.root));
};

export const basicInformation: Handler = (exchange, name) =>
  ok({ objectDescribe: describeEntry(requireTable(exchange, name), exchange.root), recentItems: [] });

/** One record: all its fields, compound fields included, or those of `fields=`. */
export const record: Handler = (exchange, name, id = "") => {
  const table = requireTable(exchange, name);
  const ordinal = table.find(id);
  if (ordinal < 0)
    throw notFound(
      /^\w{15}(\w{3})?$/.test(id)
        ? "The requested resource does not exist"
        : "Provided external ID field does not exist or is not accessible: " + id,
    );
  if (table.isDeleted(ordinal)) throw new ApiError(404, "ENTITY_IS_DELETED", "entity is deleted");
  const requested = exchange.search.get("fields")?.split(",");
  const fields = (requested ?? table.fields.map((field) => field.name)).map((field) => {
    const found = table.field(field.trim());
    if (!found)
      throw new ApiError(400, "INVALID_FIELD", `No such column '${field.trim()}' on sobject of type ${table.name}`);
    return found;
  });
  const scope = { database: exchange.org.database, api: "data", all: true, root: exchange.root } as const;
  return { status: 200, text: rowWriter(scope, table, shapeOfFields(fields))(ordinal) };
};
