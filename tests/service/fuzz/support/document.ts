/**
 * A JSON Schema with the keywords that the document's requests use. `schema-arbitrary.ts` refuses any other keyword.
 */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  items?: JsonSchema;
  /** Of a body: the names of which one group is required. */
  anyOf?: { required: string[] }[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
}

export interface ApiParameter {
  name: string;
  in: "path" | "query" | "header";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** One method of one path, with every reference resolved. */
export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  parameters: ApiParameter[];
  /** Null: no body. */
  body: JsonSchema | null;
  /** Every documented status. */
  statuses: Set<number>;
  /** The types of contents that it answers in place of JSON. */
  downloads: Set<string>;
}

/** The parts of the document that the tests use. */
export interface ApiDocument {
  operations: ApiOperation[];
  schemas: Record<string, JsonSchema>;
}

interface ServedOperation {
  operationId: string;
  parameters?: ApiParameter[];
  requestBody?: { content: { "application/json": { schema: JsonSchema } } };
  responses: Record<string, { content?: Record<string, unknown> }>;
}

interface ServedDocument {
  paths: Record<string, Record<string, ServedOperation>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** Reads the document that the running service serves. */
export async function readDocument(baseUrl: string): Promise<ApiDocument> {
  const response = await fetch(new URL("/api/v1/openapi.json", baseUrl));
  const { paths, components } = (await response.json()) as ServedDocument;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(path, method, operation, components.schemas)),
  );
  return { operations, schemas: components.schemas };
}

function readOperation(
  path: string,
  method: string,
  served: ServedOperation,
  schemas: Record<string, JsonSchema>,
): ApiOperation {
  const body = served.requestBody?.content["application/json"].schema;
  return {
    id: served.operationId,
    method: method.toUpperCase(),
    path,
    parameters: (served.parameters ?? []).map((parameter) => ({
      ...parameter,
      schema: resolve(parameter.schema, schemas),
    })),
    body: body ? resolve(body, schemas) : null,
    statuses: new Set(Object.keys(served.responses).map(Number)),
    downloads: new Set(
      Object.keys(served.responses["200"]?.content ?? {}).filter((type) => type !== "application/json"),
    ),
  };
}

/** Replaces references by what they refer to. No schema of a request contains itself. */
function resolve<Value>(value: Value, schemas: Record<string, JsonSchema>): Value {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => resolve(each, schemas)) as Value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === "string") return resolve(schemas[$ref.replace("#/components/schemas/", "")], schemas) as Value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, schemas)])) as Value;
}
