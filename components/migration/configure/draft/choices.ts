import { targetLabel } from "@/components/migration/report/findings";
import type { Configuration, ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { sharedTargets } from "@/lib/migration/configuration/mapping-rules";
import {
  isSourceObject,
  isSelectable,
  objectName,
  type SourceObjectName,
} from "@/lib/migration/objects/source-object-names";
import type { FieldReport, ObjectReport, Report } from "@/lib/migration/report/report-schema";

export const NOTHING_CHOSEN: ObjectConfiguration = { selected: true, fields: {}, values: {} };

/** The choices for an object. An object without choices follows the report. */
export function choicesFor(draft: Configuration, object: SourceObjectName): ObjectConfiguration {
  return draft.objects[object] ?? NOTHING_CHOSEN;
}

export function withChoices(
  draft: Configuration,
  object: SourceObjectName,
  changes: Partial<ObjectConfiguration>,
): Configuration {
  return { ...draft, objects: { ...draft.objects, [object]: { ...choicesFor(draft, object), ...changes } } };
}

/**
 * Maps a field to `target`. The suggestion of the report is not stored as a choice. Values that were chosen for another
 * target are deleted.
 */
export function withTarget(
  draft: Configuration,
  object: SourceObjectName,
  field: FieldReport,
  target: string | null,
): Configuration {
  const { fields, values } = choicesFor(draft, object);
  const { [field.source]: _field, ...otherFields } = fields;
  const { [field.source]: _values, ...otherValues } = values;
  return withChoices(draft, object, {
    fields: target === field.target ? otherFields : { ...otherFields, [field.source]: target },
    values: otherValues,
  });
}

/** Chooses what one value of a picklist becomes. An empty target deletes the choice, so the suggestion applies. */
export function withValue(
  draft: Configuration,
  object: SourceObjectName,
  field: string,
  value: string,
  target: string,
): Configuration {
  const { values } = choicesFor(draft, object);
  const { [field]: ofField, ...otherFields } = values;
  const { [value]: _value, ...others } = ofField ?? {};
  const chosen = target ? { ...others, [value]: target } : others;
  return withChoices(draft, object, {
    values: Object.keys(chosen).length > 0 ? { ...otherFields, [field]: chosen } : otherFields,
  });
}

/** Every field of an object, and every value, as the report suggests. */
export function withSuggestions(draft: Configuration, object: SourceObjectName): Configuration {
  return withChoices(draft, object, { fields: {}, values: {} });
}

export interface SelectableObject {
  object: SourceObjectName;
  item: ObjectReport;
}

/** The objects of a report that can be migrated. */
export function selectableObjects({ inventory }: Pick<Report, "inventory">): SelectableObject[] {
  return inventory.flatMap((item) =>
    isSelectable(item.status) && isSourceObject(item.object) ? [{ item, object: item.object }] : [],
  );
}

/** Those that will be migrated. */
export function selectedObjects(report: Pick<Report, "inventory">, draft: Configuration): SelectableObject[] {
  return selectableObjects(report).filter(({ object }) => choicesFor(draft, object).selected);
}

/** What has to be mended before the choices can be saved, in sentences. */
export function obstaclesIn(report: Report, draft: Configuration): string[] {
  const shared = selectableObjects(report).flatMap(({ object }) =>
    sharedTargets(choicesFor(draft, object).fields).map(
      ([target, fields]) =>
        `${objectName(object)}: “${targetLabel(target)}” is chosen for ${fields.join(" and ")}. ` +
        "Give one of them another target.",
    ),
  );
  const isEmpty = selectedObjects(report, draft).length === 0;
  return [...shared, ...(isEmpty ? ["Select at least one object to migrate."] : [])];
}
