import { env } from "@/lib/env";
import { namedSchemas, nameOfRecord } from "@/lib/http/openapi/component-names";
import { Components, shareSchemas } from "@/lib/http/openapi/components";
import { describeOperation, type OperationObject } from "@/lib/http/openapi/describe-operation";
import { type Header, HEADERS } from "@/lib/http/openapi/describe-responses";
import { describeFields, tagOf, TAGS, SCOPE_SUMMARIES } from "@/lib/http/openapi/descriptions";
import { RECORD_EXAMPLES } from "@/lib/http/openapi/examples/records";
import type { JsonSchema } from "@/lib/http/openapi/json-schema";
import { problemSchema } from "@/lib/http/openapi/problem-schema";
import { PUBLIC_ROUTES } from "@/lib/http/openapi/routes";
import { describeWebhookRequest, type WebhookRequest } from "@/lib/http/openapi/webhook-request";
import { PRODUCT_NAME } from "@/lib/brand";
import type { Entity } from "@/lib/records/schema/entity";
import { ENTITIES } from "@/lib/records/schema/registry";
import { defaultsOf } from "@/lib/records/schema/write-input";

export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    summary: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: { event: { post: WebhookRequest } };
  components: {
    schemas: Record<string, JsonSchema>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, unknown>;
  };
}

const DESCRIPTION = `Accounts, contacts, cases, case comments, activities, leads, opportunities and products, and their
migration from Salesforce.

Requests and answers are JSON. Lists come in pages: send the \`next_cursor\` of one page as \`cursor\` to get the next.
Unknown fields and parameters are refused, never ignored. Every refusal is a problem (RFC 9457) with a stable \`code\`.
A \`POST\` takes an \`Idempotency-Key\`; \`PATCH\`, \`PUT\` and \`DELETE\` can be repeated without one and refuse it.

Within v1 things are only added, so ignore fields of answers that you do not know. A list of values grows only if its
description says that it may: be ready for values of it that you do not know. Any other change becomes v2; both are
then served for at least twelve months.`;

/** The license of the repository. */
const LICENSE = { name: "Apache License 2.0", identifier: "Apache-2.0" };

/** The OpenAPI 3.1 document of everything that an access token opens, made from the operations. */
export function buildDocument(): OpenApiDocument {
  const components = new Components(namedSchemas(PUBLIC_ROUTES.map(({ operation }) => operation)));
  const paths: OpenApiDocument["paths"] = {};
  for (const route of PUBLIC_ROUTES)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describeOperation(route, components);
  const webhooks = { event: { post: describeWebhookRequest(components) } };
  const schemas = completeRecords(shareSchemas(components.schemas));
  const { url, ...info } = { url: `${env.APP_URL}/api/v1`, title: PRODUCT_NAME, version: "1" };
  return {
    openapi: "3.1.0",
    info: {
      ...info,
      summary: "Customer relationships, and a way to bring them here from Salesforce.",
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: [{ url }],
    tags: [...new Set(PUBLIC_ROUTES.map(({ path }) => tagOf(path)))].map((name) => ({
      name,
      ...(TAGS[name] && { description: TAGS[name] }),
    })),
    paths,
    webhooks,
    components: {
      schemas: Object.fromEntries(
        Object.entries({ ...schemas, Problem: problemSchema() }).toSorted(([a], [b]) => a.localeCompare(b)),
      ),
      headers: HEADERS,
      securitySchemes: { oauth2: securityScheme() },
    },
  };
}

/** The body of `POST /cases/{id}/comments`: a comment without its case. */
const COMMENT_OF_CASE = "CommentOfCaseCreate";

/** Describes the fields of records wherever they occur, and adds an example to each kind of record. */
function completeRecords(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const complete = { ...schemas };
  for (const entity of Object.values<Entity>(ENTITIES)) {
    const isReadOnly = (field: string) => entity.fields[field]?.readOnly ?? false;
    const record = nameOfRecord(entity);
    const forms = ["", "View", "Create", "Update", "Upsert"].map((form) => `${record}${form}`);
    for (const name of entity.resource === "case_comments" ? [...forms, COMMENT_OF_CASE] : forms) {
      const schema = complete[name];
      if (schema)
        complete[name] = {
          ...describeFields(schema, isReadOnly, name.endsWith("Create") ? defaultsOf(entity) : {}),
          ...(name === record && { examples: [RECORD_EXAMPLES[entity.resource]] }),
        };
    }
  }
  return complete;
}

function securityScheme() {
  const urls = { authorizationUrl: `${env.APP_URL}/oauth/authorize`, tokenUrl: `${env.APP_URL}/oauth/token` };
  return {
    type: "oauth2",
    description:
      "The authorization code grant with PKCE (S256). Clients are created in the settings, under API clients.",
    flows: { authorizationCode: { ...urls, scopes: SCOPE_SUMMARIES } },
  };
}

let built: OpenApiDocument | undefined;

/** The document, built once per process. */
export function openApi(): OpenApiDocument {
  return (built ??= buildDocument());
}
