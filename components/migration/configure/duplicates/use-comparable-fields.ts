import { useMemo } from "react";

import { choicesFor } from "@/components/migration/configure/draft/choices";
import { useEditing } from "@/components/migration/configure/draft/use-draft";
import { comparableFields } from "@/lib/migration/configuration/comparable-fields";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

/** The fields by which the records of an object can be compared, as the draft maps them. */
export function useComparableFields(object: SourceObjectName): string[] {
  const { report, draft } = useEditing();
  const fields = report.inventory.find((item) => item.object === object)?.fields;
  const { fields: chosen } = choicesFor(draft, object);
  return useMemo(() => comparableFields(object, fields ?? [], chosen), [object, fields, chosen]);
}
