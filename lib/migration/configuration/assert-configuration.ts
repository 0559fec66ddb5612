import { env } from "@/lib/env";
import { AppError, type Fault } from "@/lib/errors";
import { escapePointer } from "@/lib/input/parse-input";
import { type Suggest, boundedSuggest, didYouMean } from "@/lib/input/suggest";
import { comparableFields } from "@/lib/migration/configuration/comparable-fields";
import {
  type Configuration,
  type ObjectConfiguration,
  plannedDetail,
} from "@/lib/migration/configuration/configuration-schema";
import { CUSTOM_FIELDS, CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import { duplicateFaults } from "@/lib/migration/configuration/duplicate-faults";
import {
  chosenTarget,
  isMappable,
  possibleTargets,
  sharedTargets,
  targetValues,
} from "@/lib/migration/configuration/mapping-rules";
import { isImported } from "@/lib/migration/objects/imported-objects";
import {
  IMPORT_ORDER,
  isSelectable,
  type SourceObjectName,
  NOTHING_SELECTED,
} from "@/lib/migration/objects/source-object-names";
import { relationshipsByField } from "@/lib/migration/objects/relationships";
import { ownerFaults } from "@/lib/migration/owners/owner-faults";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import type { FieldReport, ObjectReport, Report } from "@/lib/migration/report/report-schema";

/** The choices for one object, and what its report allows. */
interface Choice {
  object: SourceObjectName;
  pointer: string;
  report: ObjectReport;
  /** The report's fields by name: thousands of choices may look up one of thousands of fields. */
  fields: ReadonlyMap<string, FieldReport>;
  /** The fields of the record that a source field can be mapped onto. */
  targets: ReadonlySet<string>;
  chosen: ObjectConfiguration;
  suggest: Suggest;
}

/**
 * Asserts that every choice is possible. Throws `invalid_request` with a fault for each that is not. `base` is the JSON
 * pointer to the configuration within the body.
 */
export async function assertConfiguration(
  organizationId: string,
  configuration: Configuration,
  report: Report,
  base = "",
): Promise<void> {
  const faults = await configurationFaults(organizationId, configuration, report, base);
  if (faults.length > 0)
    throw new AppError("invalid_request", "Some of the choices are not possible; see `errors`.", { errors: faults });
}

/** Every choice that is not possible. */
export async function configurationFaults(
  organizationId: string,
  configuration: Configuration,
  report: Pick<Report, "inventory">,
  base = "",
): Promise<Fault[]> {
  const { owners } = configuration;
  const faults = owners ? await ownerFaults(organizationId, owners, `${base}/owners`) : [];
  return [
    ...emptyFaults(configuration, report, base),
    ...objectFaults(configuration, report, base),
    ...faults,
    ...filesFaults(configuration, `${base}/files/copy`),
  ];
}

/** Files are to be copied, and there is no storage that web would find them in. */
export function filesFaults({ files }: Configuration, pointer: string): Fault[] {
  if (!files.copy || env.FILES_STORAGE !== "none") return [];
  const detail = "This service keeps no files: its operator has set FILES_STORAGE to none. Choose not to copy them.";
  return [{ pointer, code: "not_offered", detail }];
}

/** Every object that could be migrated was deselected. */
function emptyFaults({ objects }: Configuration, report: Pick<Report, "inventory">, base: string): Fault[] {
  const selectable = IMPORT_ORDER.filter((name) =>
    report.inventory.some(({ object, status }) => object === name && isSelectable(status)),
  );
  if (selectable.length === 0 || selectable.some((name) => objects[name]?.selected !== false)) return [];
  return [{ pointer: `${base}/objects`, code: "nothing_selected", detail: NOTHING_SELECTED }];
}

/** The choices for objects that their report does not allow. */
export function objectFaults(configuration: Configuration, report: Pick<Report, "inventory">, base = ""): Fault[] {
  let bounded: Suggest | undefined;
  // Made for the first fault: a configuration without one needs no suggestions.
  const suggest: Suggest = (...given) => (bounded ??= boundedSuggest())(...given);
  return IMPORT_ORDER.flatMap((object) => {
    const chosen = configuration.objects[object];
    if (!chosen) return [];
    const pointer = `${base}/objects/${object}`;
    if (!isImported(object)) return [{ pointer, code: "not_selectable", detail: plannedDetail(object) }];
    const entry = report.inventory.find((item) => item.object === object);
    if (!entry) return unreadableFaults(object, chosen, pointer);
    const fields = new Map(entry.fields.map((field) => [field.source, field]));
    const targets = new Set(possibleTargets(SOURCE_OBJECTS[object]));
    return faultsOf({ object, chosen, report: entry, fields, targets, pointer, suggest });
  });
}

/** The object is missing from the report: the Salesforce user may not see it. */
function unreadableFaults(object: SourceObjectName, chosen: ObjectConfiguration, pointer: string): Fault[] {
  if (!chosen.selected) return [];
  const detail =
    `${object} cannot be selected: the Salesforce user may not see it. Give the user access and analyze again, or ` +
    "deselect it.";
  return [{ pointer: `${pointer}/selected`, code: "not_selectable", detail }];
}

function faultsOf(choice: Choice): Fault[] {
  const { report, chosen, pointer } = choice;
  if (!isSelectable(report.status)) {
    return chosen.selected
      ? [
          {
            pointer: `${pointer}/selected`,
            code: "not_selectable",
            detail: `${report.object} cannot be selected. ${report.reason} Until then, deselect it.`,
          },
        ]
      : [];
  }
  const fields = Object.entries(chosen.fields).flatMap(([source, target]) => fieldFaults(choice, source, target));
  const values = Object.entries(chosen.values).flatMap(([source, map]) => valueFaults(choice, source, map));
  return [...fields, ...sharedFaults(choice), ...values, ...relationshipFaults(choice), ...duplicateFaultsOf(choice)];
}

function duplicateFaultsOf({ object, chosen, targets, fields, pointer, suggest }: Choice): Fault[] {
  if (!chosen.duplicates) return [];
  const custom = [...fields.keys()].map((name) => CUSTOM_PREFIX + name);
  const known = new Set([...targets, ...custom]);
  const comparable = new Set(comparableFields(object, [...fields.values()], chosen.fields));
  return duplicateFaults(object, chosen.duplicates, { known, comparable, pointer: `${pointer}/duplicates`, suggest });
}

function unknownField(choice: Choice, source: string, pointer: string): Fault {
  const suggestion = choice.suggest(source, choice.fields.keys());
  const hint = didYouMean(suggestion, ", or the Salesforce user may not see it.");
  return { pointer, code: "unknown_field", detail: `${choice.object} has no field \`${source}\`${hint}` };
}

function fieldFaults(choice: Choice, source: string, target: string | null): Fault[] {
  const pointer = `${choice.pointer}/fields/${escapePointer(source)}`;
  const field = choice.fields.get(source);
  if (!field) return [unknownField(choice, source, pointer)];
  if (!isMappable(choice.object, field)) {
    return [
      {
        pointer,
        code: "not_mappable",
        detail: `The target of \`${source}\` is fixed (${field.target ?? "nowhere"}) and cannot be changed.`,
      },
    ];
  }
  if (target === null || target === CUSTOM_FIELDS || choice.targets.has(target)) return [];
  const targets = [...choice.targets, CUSTOM_FIELDS];
  const possible = `; possible are ${targets.join(", ")}, or null to leave it out.`;
  const hint = didYouMean(choice.suggest(target, targets), possible);
  return [{ pointer, code: "unknown_target", detail: `\`${source}\` cannot go to \`${target}\`${hint}` }];
}

/** A field that was given the target of an earlier choice. */
function sharedFaults({ chosen, pointer }: Choice): Fault[] {
  return sharedTargets(chosen.fields).flatMap(([target, [first, ...others]]) =>
    others.map((source) => ({
      pointer: `${pointer}/fields/${escapePointer(source)}`,
      code: "shared_target",
      detail: `\`${target}\` is already chosen for \`${first}\`.`,
    })),
  );
}

function valueFaults(choice: Choice, source: string, map: Record<string, string>): Fault[] {
  const pointer = `${choice.pointer}/values/${escapePointer(source)}`;
  const field = choice.fields.get(source);
  if (!field) return [unknownField(choice, source, pointer)];
  const target = chosenTarget(field, choice.chosen.fields);
  const options = targetValues(choice.object, target);
  if (!options) {
    if (Object.keys(map).length === 0) return [];
    return [
      {
        pointer,
        code: "no_fixed_values",
        detail: `\`${source}\` goes to \`${target ?? "nowhere"}\`, whose values need no translation.`,
      },
    ];
  }
  const unknown = Object.keys(map).flatMap((value) =>
    sourceValueFaults(choice, field, value, `${pointer}/${escapePointer(value)}`),
  );
  const impossible = Object.entries(map)
    .filter(([, value]) => !options.includes(value))
    .map(([value, chosen]): Fault => ({
      pointer: `${pointer}/${escapePointer(value)}`,
      code: "unknown_value",
      detail: `\`${chosen}\` is no value of \`${target}\`; possible are ${options.join(", ")}.`,
    }));
  return [...unknown, ...impossible];
}

/** Choices for fields that link to no record, and links that cannot be empty. */
function relationshipFaults(choice: Choice): Fault[] {
  const chosen = Object.entries(choice.chosen.relationships ?? {});
  if (chosen.length === 0) return [];
  const known = relationshipsByField(choice.object, [...choice.fields.values()], choice.chosen.fields);
  return chosen.flatMap(([source, decision]): Fault[] => {
    const pointer = `${choice.pointer}/relationships/${escapePointer(source)}`;
    if (!choice.fields.has(source)) return [unknownField(choice, source, pointer)];
    const links = known.get(source);
    if (!links) {
      const others = [...known.keys()].join(", ") || "none of its fields";
      const detail = `\`${source}\` links to no record here; ${others} can.`;
      return [{ pointer, code: "no_relationship", detail }];
    }
    if (decision !== "keep_id" || !links.some(({ required }) => required)) return [];
    return [{ pointer, code: "required_relationship", detail: requiredDetail(choice.object) }];
  });
}

function requiredDetail(object: SourceObjectName): string {
  return (
    `A ${SOURCE_OBJECTS[object].label} cannot be stored without its case, so the link cannot stay empty. Choose ` +
    "`leave_out` to leave it out on purpose, or `heal` to have it reported as failed until its case is here and the " +
    "migration runs again."
  );
}

const MAX_SHOWN = 20;

/**
 * A value that neither the picklist nor any record has. Without a complete list of values in the report there may be
 * others, so nothing is refused then.
 */
function sourceValueFaults(
  { suggest }: Choice,
  { source, values, more_values }: FieldReport,
  value: string,
  pointer: string,
): Fault[] {
  if (!values || more_values || values.some(({ count }) => count === null)) return [];
  const known = values.map((item) => item.source);
  if (known.includes(value)) return [];
  const hint = didYouMean(suggest(value, known), `; it has ${known.slice(0, MAX_SHOWN).join(", ") || "none"}.`);
  return [
    {
      pointer,
      code: "unknown_source_value",
      detail: `\`${value}\` is no value of \`${source}\` in the Salesforce org${hint}`,
    },
  ];
}
