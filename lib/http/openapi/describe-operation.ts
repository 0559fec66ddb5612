import { nameOfAnswer, nameOfBody, nameOfItem } from "@/lib/http/openapi/component-names";
import type { Components } from "@/lib/http/openapi/components";
import { describeInput, headerParameters, type Parameter } from "@/lib/http/openapi/describe-parameters";
import { describeResponses, type Response } from "@/lib/http/openapi/describe-responses";
import { deletionEffects, OPERATION_NOTES, tagOf } from "@/lib/http/openapi/descriptions";
import { answerExample } from "@/lib/http/openapi/examples/answers";
import { bodyExample } from "@/lib/http/openapi/examples/bodies";
import { type JsonSchema, nameIn, sampleValue } from "@/lib/http/openapi/json-schema";
import type { Route } from "@/lib/http/openapi/route";
import type { Operation } from "@/lib/operation";
import { isResource } from "@/lib/records/schema/registry";

/** An Operation Object (OpenAPI 3.1 §4.8.10), with the properties that we use. */
export interface OperationObject {
  operationId: string;
  summary: string;
  /** Markdown (CommonMark). */
  description?: string;
  tags: string[];
  security: { oauth2: string[] }[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: { "application/json": { schema: JsonSchema; example: unknown } } };
  responses: Record<string, Response>;
}

/** Describes one route. The schemas that it needs become components. */
export function describeOperation(route: Route, components: Components): OperationObject {
  const { operation, path } = route;
  const { parameters: ofInput, body } = describeInput(route, components);
  const parameters = [...ofInput, ...headerParameters(route)];
  const answer = describeAnswer(route, components);
  const description = describeEffects(route);
  return {
    operationId: operation.name,
    summary: operation.summary,
    ...(description !== undefined && { description }),
    tags: [tagOf(path)],
    // Any one of the scopes is enough, so each is a separate requirement.
    security: operation.scopes.map((scope) => ({ oauth2: [scope] })),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: describeBody(route, body, components) }),
    responses: describeResponses(route, answer, answerExample(operation) ?? sampleValue(answer, components.schemas)),
  };
}

/** The effects of a deletion on other records, or the note on the operation. */
function describeEffects({ method, path, operation }: Route): string | undefined {
  const tag = tagOf(path);
  return method === "DELETE" && isResource(tag) ? deletionEffects(tag) : OPERATION_NOTES[operation.name];
}

function describeBody(
  { operation, method }: Route,
  body: JsonSchema,
  components: Components,
): NonNullable<OperationObject["requestBody"]> {
  const schema = components.put(nameOfBody(operation), body);
  return {
    // A POST that needs none of its fields may leave its body out (`readJsonWith`).
    required: method !== "POST" || body.anyOf !== undefined || (body.required ?? []).length > 0,
    content: {
      "application/json": { schema, example: bodyExample(operation) ?? sampleValue(schema, components.schemas) },
    },
  };
}

function describeAnswer({ operation }: Route, components: Components): JsonSchema {
  // Bytes have no schema that could be named.
  if (operation.downloads) return components.convert(operation.output, "output");
  const schema = nameItem(operation, components.convert(operation.output, "output"), components);
  const item = schema.properties?.data?.items?.$ref;
  const name = nameOfAnswer(operation, item ? nameIn(item).replace(/View$/, "") : null);
  return components.put(name, schema, `${nameOfBody(operation)}Result`);
}

/** Names the items of a list. They may have fewer fields than the record that `get_` returns. */
function nameItem(operation: Operation, page: JsonSchema, components: Components): JsonSchema {
  const { data } = page.properties ?? {};
  if (!operation.name.startsWith("list_") || !data?.items?.properties) return page;
  const name = nameOfItem(operation);
  const items = components.put(components.isNamed(name) ? `${name}Item` : name, data.items);
  return { ...page, properties: { ...page.properties, data: { ...data, items } } };
}
