import { readDemo } from "@/tests/service/support/demo";

/** The parts of a schema that the tests use. */
interface Schema {
  properties?: Record<string, { enum?: string[] }>;
}

interface Response {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Schema }>;
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
}

interface OperationObject {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: { "application/json": { example: Record<string, unknown> } } };
  security: { oauth2: string[] }[];
  responses: Record<string, Response>;
}

/** What of the OpenAPI document the tests look at. */
export interface Document {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, object> };
}

/** One method of one path of the document. */
export interface Operation extends OperationObject {
  method: string;
  path: string;
  /** The first segment of the path. */
  resource: string;
}

/** One documented answer of an operation: a status and, for a refusal, its code. */
export interface Documented {
  /** "GET /accounts/{id} 404 not_found" */
  name: string;
  operation: Operation;
  status: number;
  code: string | null;
  /** The names of its headers, in lower case. */
  headers: string[];
}

/** The document that the running service serves. */
export async function readDocument(): Promise<Document> {
  return (await (await fetch(new URL("/api/v1/openapi.json", readDemo().base_url))).json()) as Document;
}

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      resource: path.split("/")[1] ?? "",
    })),
  );
}

/** Every documented answer of an operation. */
export function answersOf(operation: Operation): Documented[] {
  return Object.entries(operation.responses).flatMap(([status, response]) => {
    const codes = response.content?.["application/problem+json"]?.schema.properties?.code?.enum ?? [null];
    const headers = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
    return codes.map((code) => ({
      name: [operation.method, operation.path, status, code].filter((part) => part !== null).join(" "),
      operation,
      status: Number(status),
      code,
      headers,
    }));
  });
}
