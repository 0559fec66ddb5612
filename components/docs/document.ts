/**
 * The parts of the OpenAPI document that the reference pages show. The server builds the document from the operations.
 */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  readOnly?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
}

interface Media {
  schema: Schema;
  example?: unknown;
}

interface Answer {
  description: string;
  content?: Record<string, Media>;
}

/** One operation with its method and path. */
export interface Operation {
  method: string;
  path: string;
  operationId: string;
  summary: string;
  /** Markdown. */
  description?: string;
  security: { oauth2: string[] }[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Answer>;
}

export type Schemas = Record<string, Schema>;

/** The name of the component that a `$ref` points to. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}

/** The names of the components that a value refers to, directly or through other components. */
export function namesWithin(value: unknown, schemas: Schemas, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  for (const [key, each] of Object.entries(value)) {
    if (key !== "$ref" || typeof each !== "string") namesWithin(each, schemas, found);
    else if (!found.has(nameIn(each))) namesWithin(schemas[nameIn(each)], schemas, found.add(nameIn(each)));
  }
  return found;
}
