import { NAME_FIELDS } from "@/lib/records/schema/record-name";
import { RESOURCES } from "@/lib/records/schema/resources";

/** In characters. A name is at most a line of a list. */
export const MAX_NAME = 200;

/** SQL: what the deleted record of the row `d` was called. */
export const DELETED_NAME = `left(CASE d.resource ${RESOURCES.map(
  (name) => `WHEN '${name}' THEN concat_ws(' ', ${NAME_FIELDS[name].map((f) => `d.record ->> '${f}'`).join(", ")})`,
).join(" ")} END, ${MAX_NAME})`;
