import { z } from "zod";

import { pathNames, type Route } from "@/lib/http/openapi/route";
import type { Field } from "@/lib/records/schema/field";
import { ENTITIES } from "@/lib/records/schema/registry";

/**
 * The places where a request can name something of an organization, as `{id}` in a path, `?owner_id` in a query and
 * `/account_id` in a body. Read from the schemas of the operations, so that every input of a new endpoint must be
 * tried.
 */
export function placesOf(route: Route): string[] {
  const inPath = pathNames(route);
  const schema = schemaOf(route);
  const rest = Object.entries(schema.properties ?? {}).filter(([name]) => !inPath.includes(name) && name !== "cursor");
  const found = isQuery(route)
    ? rest.flatMap(([name, each]) => queryPlaces(name, each))
    : rest.flatMap(([name, each]) => bodyPlaces(`/${name}`, each));
  return [...inPath.map((name) => `{${name}}`), ...found.filter((place) => !SERVICES_OWN.has(`${route.path}${place}`))];
}

/** Whether a list is read page by page. */
export function hasCursor(route: Route): boolean {
  return Object.hasOwn(schemaOf(route).properties ?? {}, "cursor");
}

function isQuery({ method }: Pick<Route, "method">): boolean {
  return method === "GET" || method === "DELETE";
}

interface Schema {
  type?: string;
  pattern?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

function schemaOf({ operation }: Route): Schema {
  return z.toJSONSchema(operation.input, { io: "input", unrepresentable: "any" }) as Schema;
}

/** Parameters that are words of the service, numbers or dates, and belong to no organization. */
const NOBODYS = new Set([
  "limit",
  "per_kind",
  "objects",
  "order",
  "fields",
  "expand",
  "include",
  "closes_from",
  "closes_until",
]);
const SERVICES_OWN = new Set([
  "/events?type",
  "/settings/audit_events?action",
  "/migration/{migration_id}/errors?code",
  "/migration/{migration_id}/errors/download?code",
  "/webhooks/{id}/deliveries?event",
]);

/** Of one or several words that the service knows. */
const WORDS = /^\^\([a-z_|]+\)\(,/;

function queryPlaces(name: string, schema: Schema): string[] {
  const isFixed =
    WORDS.test(schema.pattern ?? "") ||
    schema.enum !== undefined ||
    schema.const !== undefined ||
    schema.type === "boolean";
  return isFixed || NOBODYS.has(name) || /^\w+_at\[\w+\]$/.test(name) ? [] : [`?${name}`];
}

/** Values that are unique within an organization: another organization's are free here. */
const UNIQUE = new Set(
  Object.values(ENTITIES).flatMap(({ fields }) =>
    Object.entries<Field>(fields).flatMap(([name, { unique }]) => (unique ? [name] : [])),
  ),
);

function bodyPlaces(pointer: string, schema: Schema): string[] {
  const below = [
    ...eitherOf(schema).flatMap((each) => bodyPlaces(pointer, each)),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, each]) => bodyPlaces(`${pointer}/${key}`, each)),
    ...itemsOf(schema).flatMap((each, index) => bodyPlaces(`${pointer}/${index}`, each)),
  ];
  return [...new Set([...(isPlace(pointer, schema) ? [pointer] : []), ...below])];
}

function isPlace(pointer: string, { format, items }: Schema): boolean {
  const name = pointer.split("/").at(-1) ?? "";
  return format === "uuid" || UNIQUE.has(name) || (/_ids?$/.test(name) && items === undefined);
}

function eitherOf({ anyOf, oneOf }: Schema): Schema[] {
  return anyOf ?? oneOf ?? [];
}

/** Each kind of item of a list has a position of its own. */
function itemsOf({ items }: Schema): Schema[] {
  if (items === undefined) return [];
  const kinds = eitherOf(items);
  return kinds.length > 0 ? kinds : [items];
}
