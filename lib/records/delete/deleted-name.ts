import { nameExpression } from "@/lib/records/schema/record-name";
import { RESOURCES } from "@/lib/records/schema/resources";

/** The longest name, in characters: at most a line of a list. */
export const MAX_NAME = 200;

const BY_KIND = RESOURCES.map(
  (resource) => `WHEN '${resource}' THEN ${nameExpression(resource, (field) => `d.record ->> '${field}'`)}`,
);

/** SQL: what the deleted record of the row `d` was called. */
export const DELETED_NAME = `left(coalesce(CASE d.resource ${BY_KIND.join(" ")} END, ''), ${MAX_NAME})`;
