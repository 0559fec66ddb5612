import { AppError } from "@/lib/errors";
import { CUSTOM_FIELDS } from "@/lib/migration/configuration/custom-fields";
import { chosenTarget, possibleTargets, RECORD_FIELDS } from "@/lib/migration/configuration/mapping-rules";
import type { Shape, SourceField } from "@/lib/migration/objects/declaration";
import type { Labels } from "@/lib/migration/pipeline/map/labels";
import {
  findUnknownChoice,
  type Place,
  placeInColumn,
  placeInCustomFields,
} from "@/lib/migration/pipeline/map/place-field";

/** Source field → target, by the choices of the user. Throws `invalid_request` for an impossible one. */
export function chooseTargets(
  shape: Shape,
  kept: readonly SourceField[],
  chosen: Record<string, string | null>,
): Map<string, string> {
  const possible = new Set([...possibleTargets(shape), CUSTOM_FIELDS]);
  const free = kept.filter(({ name }) => !Object.hasOwn(RECORD_FIELDS, name) && !Object.hasOwn(shape.fixed, name));
  return new Map(
    free.map(({ name }) => {
      const target =
        chosenTarget({ source: name, target: shape.fields[name]?.target ?? CUSTOM_FIELDS }, chosen) ?? CUSTOM_FIELDS;
      if (!possible.has(target)) throw invalidChoice(name, target);
      return [name, target];
    }),
  );
}

/** What puts the values of a field where they go. Throws `invalid_request` for a value that the target cannot take. */
export function placeOf(
  shape: Shape,
  source: string,
  target: string,
  values: Record<string, string>,
  labels: Labels,
): Place {
  if (target === CUSTOM_FIELDS) return placeInCustomFields(source);
  const unknown = findUnknownChoice(shape.resource, target, values);
  if (unknown !== null) throw invalidChoice(source, unknown);
  const place = placeInColumn(shape.resource, source, target, values, labels);
  const isChosenField = shape.fields[source]?.target !== target;
  return (value, draft) => {
    place(value, draft);
    if (isChosenField || (typeof value === "string" && Object.hasOwn(values, value)))
      (draft.chosen ??= new Set()).add(target);
  };
}

function invalidChoice(source: string, choice: string): AppError {
  return new AppError(
    "invalid_request",
    `The configuration maps ${source} onto ${choice}, which is not possible. Choose another target for it.`,
  );
}
