import type { Configuration, ObjectConfiguration } from "@/lib/migration/configuration/configuration-schema";
import { suggestTarget, optionsOf, suggestValue } from "@/lib/migration/configuration/mapping-rules";
import type { MigratedObjectName } from "@/lib/migration/objects/migrated-objects";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport } from "@/lib/migration/report/report-schema";

const NOTHING_CHOSEN: ObjectConfiguration = { selected: true, fields: {}, values: {} };

/** What was chosen for an object; an object without choices follows the report. */
export function choicesFor(draft: Configuration, object: MigratedObjectName): ObjectConfiguration {
  return draft.objects[object] ?? NOTHING_CHOSEN;
}

function withChoices(
  draft: Configuration,
  object: MigratedObjectName,
  changes: Partial<ObjectConfiguration>,
): Configuration {
  return { ...draft, objects: { ...draft.objects, [object]: { ...choicesFor(draft, object), ...changes } } };
}

export function withSelection(draft: Configuration, object: MigratedObjectName, selected: boolean): Configuration {
  return withChoices(draft, object, { selected });
}

/**
 * Sends a field to `target`. The report's own suggestion is no choice: it is forgotten, and so are values chosen for
 * another target.
 */
export function withTarget(
  draft: Configuration,
  object: MigratedObjectName,
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

/** Translates one value of a picklist; an empty target leaves it to the suggestion. */
export function withValue(
  draft: Configuration,
  object: MigratedObjectName,
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

/** Whether the reader can send a field elsewhere; some fields have one place only, and some are not read at all. */
export function isMappable(object: MigratedObjectName, field: FieldReport): boolean {
  return suggestTarget(SOURCE_OBJECTS[object], { name: field.source, type: field.type }).mappable;
}

/** Targets that two chosen fields share: only one can have each. */
export function sharedTargets(choices: ObjectConfiguration): string[] {
  const chosen = Object.values(choices.fields).filter((target) => target !== null && target !== "custom_fields");
  return [...new Set(chosen.filter((target, index) => chosen.indexOf(target) !== index))] as string[];
}

/** The fixed values that a target takes, or null when it takes any. */
export function optionsFor(object: MigratedObjectName, target: string | null): string[] | null {
  return target === null || target === "custom_fields" ? null : optionsOf(SOURCE_OBJECTS[object].resource, target);
}

/** What a source value becomes unless the reader chooses: the meaning that we read in it, or null. */
export function suggestedValue(object: MigratedObjectName, target: string, value: string): string | null {
  return suggestValue(SOURCE_OBJECTS[object].resource, target, value);
}
