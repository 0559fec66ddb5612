import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

import { MAX_FAULTS } from "@/lib/errors";
import { truncateName } from "@/lib/input/suggest";

type Standard = StandardSchemaWithJSON["~standard"];

/** Parts of the place of a fault. */
const MAX_DEPTH = 10;

type Json = z.core.JSONSchema.BaseSchema;

/**
 * A tool's schema stands in every session, so it has no more than an assistant needs: no bounds that no value reaches,
 * no pattern beside a format. A result explains itself; of its schema the types remain.
 */
function trim(json: Json, io: "input" | "output"): void {
  if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
  if ((json.maximum ?? 0) >= 2 ** 31 - 1) delete json.maximum;
  if (json.format !== undefined || json.pattern === String.raw`\S`) delete json.pattern;
  delete json.propertyNames;
  if (io === "input") return;
  delete json.additionalProperties;
  delete json.description;
  if (json.type === "string") delete json.enum;
}

function standardOf(schema: z.ZodType, io: "input" | "output", validate: Standard["validate"]): StandardSchemaWithJSON {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: io === "output" ? "ref" : "inline",
    override: ({ jsonSchema }) => trim(jsonSchema, io),
  });
  const { version, vendor } = schema["~standard"];
  return { "~standard": { version, vendor, validate, jsonSchema: { input: () => json, output: () => json } } };
}

/** What the SDK repeats of a wrong input: as of a refusal over REST, no more than anybody reads. */
function bounded(result: Awaited<ReturnType<Standard["validate"]>>): typeof result {
  if (!result.issues) return result;
  const issues = result.issues.slice(0, MAX_FAULTS).map(({ message, path = [] }) => ({
    message: truncateName(message),
    path: path.slice(0, MAX_DEPTH).map((part) => truncateName(String(typeof part === "object" ? part.key : part))),
  }));
  return { issues };
}

/** An input as the SDK takes it. Made once for the process: the SDK asks for the JSON Schema at each request. */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return standardOf(schema, "input", async (value) => bounded(await schema["~standard"].validate(value)));
}

/**
 * An output as the SDK takes it. What a tool returns is not parsed: its type is checked when it is compiled, and the
 * tests hold results to the schema. To parse a page takes as long as to read it.
 */
export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return standardOf(schema, "output", (value) => ({ value }));
}
