import { Problem } from "@/components/api/problem";
import { sendJson } from "@/components/api/request";
import { formFields } from "@/components/records/form/record-values";
import type { AnyRecord } from "@/components/records/record";
import { fieldLabel } from "@/components/ui/text/format";
import { TextLink } from "@/components/ui/text/links";
import { ENTITIES } from "@/lib/records/schema/registry";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";

/** Restores a deleted record, with all that went with it. */
export async function restoreRecord(resource: ResourceName, id: string): Promise<AnyRecord> {
  try {
    return await sendJson<AnyRecord>("POST", `/${resource}/${id}/restore`, {});
  } catch (error) {
    throw reworded(error);
  }
}

/** Of a value that another record has by now, the API says by which request to free it: readers have pages for that. */
function reworded(error: unknown): unknown {
  const other = otherRecordOf(error);
  if (!(error instanceof Problem) || !other) return error;
  const taken = error.errors.filter(({ code }) => code === "taken").map(({ pointer }) => pointer.slice(1));
  if (taken.length === 0) return error;
  const what = `the same ${[...new Set(taken.map(fieldLabel))].join(" and ")}`;
  const writable = new Set(formFields(other.resource).map(([name]) => name));
  const remedy = taken.every((name) => writable.has(name)) ? "Give that one another, or delete it" : "Delete that one";
  return new Problem({
    status: error.status,
    code: error.code,
    title: "It cannot be restored yet",
    detail: `Another ${other.label} has ${what} by now. ${remedy}, then restore again.`,
    request_id: error.requestId,
    records: error.records,
  });
}

/** The record that a refusal to restore names: it has a value of the deleted one by now, or is the same. */
function otherRecordOf(error: unknown) {
  if (!(error instanceof Problem)) return undefined;
  return RESOURCES.flatMap((resource) => {
    const { singular, label } = ENTITIES[resource];
    const id = error.records[`${singular}_id`];
    return id === undefined ? [] : [{ resource, id, label }];
  })[0];
}

/** Leads from a refusal to restore to the record that is in the way. */
export function OtherRecord({ error }: { error: unknown }) {
  const other = otherRecordOf(error);
  if (!other) return null;
  return (
    <TextLink href={`/${other.resource}/${other.id}`} size="sm" underline="always">
      Show the {other.label} that is here
    </TextLink>
  );
}
