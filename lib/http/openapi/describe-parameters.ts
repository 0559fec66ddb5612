import { takesQuery } from "@/lib/http/api/parameters";
import type { Components } from "@/lib/http/openapi/components";
import type { JsonSchema } from "@/lib/http/openapi/json-schema";
import { pathNames, type Route } from "@/lib/http/openapi/route";
import { supportsNotModified, takesIdempotencyKey } from "@/lib/http/openapi/route-errors";

export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

interface Input {
  parameters: Parameter[];
  /** The schema of the body, or null if there is none. */
  body: JsonSchema | null;
}

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "A text of your own, best a UUID, new for each thing to do: printable ASCII characters, in double quotes where a " +
    "space, a comma or a quote is among them. A request that is repeated with it within 24 hours gets the first " +
    "answer again, also a refusal; 429 and 5xx are no answers.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const IF_MATCH: Parameter = {
  name: "If-Match",
  in: "header",
  required: false,
  description: "The `ETag` of the record as you know it. If it has changed since, nothing is done (412).",
  schema: { type: "string" },
};

const IF_NONE_MATCH: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description:
    "The `ETag` of the record as you have it. If it has not changed since, the answer is 304 and has no body.",
  schema: { type: "string" },
};

const ONLY_CREATE: Parameter = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "`*`: only create. If there is a record with that external id, nothing is done (412).",
  schema: { type: "string" },
};

/** The headers that a route takes besides `Authorization`. */
export function headerParameters(route: Route): Parameter[] {
  return [
    ...(takesIdempotencyKey(route) ? [IDEMPOTENCY_KEY] : []),
    ...(route.operation.conditional ? [IF_MATCH] : []),
    ...(supportsNotModified(route) ? [IF_NONE_MATCH] : []),
    ...(isUpsert(route) ? [ONLY_CREATE] : []),
  ];
}

function isUpsert({ method, operation }: Route): boolean {
  return method === "PUT" && operation.conditional === true && operation.createsIn !== undefined;
}

/** Splits the input of a route's operation into path, query and body. */
export function describeInput(route: Route, components: Components): Input {
  const input = components.convert(route.operation.input, "input");
  const inPath = pathNames(route);
  const properties = Object.entries(input.properties ?? {});
  const rest = properties.filter(([name]) => !inPath.includes(name));
  const required = new Set(input.required);
  const ofPath = inPath.map((name) => parameter("path", name, input.properties?.[name] ?? { type: "string" }, true));
  if (takesQuery(route.method))
    return {
      parameters: [...ofPath, ...rest.map(([name, schema]) => parameter("query", name, schema, required.has(name)))],
      body: null,
    };
  if (input.properties === undefined) return { parameters: ofPath, body: input };
  return { parameters: ofPath, body: rest.length === 0 ? null : bodyOf(input, Object.fromEntries(rest)) };
}

/** A cursor is only a position: with another order or filter, the page after it may be empty. */
const CURSOR_NOTE =
  "Leave all other parameters unchanged: with another `order` or filter it leads elsewhere, perhaps to an empty page.";

function parameter(
  where: Parameter["in"],
  name: string,
  { description, ...schema }: JsonSchema,
  required: boolean,
): Parameter {
  const meaning = where === "query" && name === "cursor" ? [description, CURSOR_NOTE].join(" ") : description;
  return { name, in: where, required, ...(meaning !== undefined && { description: meaning }), schema };
}

function bodyOf(input: JsonSchema, properties: Record<string, JsonSchema>): JsonSchema {
  const { required: all = [], ...rest } = input;
  const required = all.filter((name) => Object.hasOwn(properties, name));
  return { ...rest, properties, ...(required.length > 0 && { required }) };
}
