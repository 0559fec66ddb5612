/** A schema as JSON Schema 2020-12 writes it: what of it the document and the reference pages look at. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  readOnly?: boolean;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  $defs?: Record<string, JsonSchema>;
}

/** Where a component stands in the document. */
export function refTo(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** The name of the component that a reference leads to. */
export function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf("/") + 1);
}
