import type { Fault } from "@/lib/errors";
import { escapePointer } from "@/lib/input/parse-input";
import { type Suggest, didYouMean } from "@/lib/input/suggest";
import { canHaveDuplicates } from "@/lib/migration/configuration/comparable-fields";
import { CUSTOM_PREFIX } from "@/lib/migration/configuration/custom-fields";
import type { DuplicateChoices } from "@/lib/migration/configuration/duplicate-rules";
import type { SourceObjectName } from "@/lib/migration/objects/source-object-names";

interface Allowed {
  /** The fields of the record, `custom_fields.<name>` included. */
  known: ReadonlySet<string>;
  /** Those that rules can name, because source fields go to them. */
  comparable: ReadonlySet<string>;
  pointer: string;
  suggest: Suggest;
}

/** The faults of the rules for the duplicates of one object. */
export function duplicateFaults(
  object: SourceObjectName,
  { rules, fields }: DuplicateChoices,
  { known, comparable, pointer, suggest }: Allowed,
): Fault[] {
  if (!canHaveDuplicates(object)) {
    const detail = `Records of ${object} are not compared. Leave \`duplicates\` out.`;
    return rules.length > 0 ? [{ pointer, code: "not_selectable", detail }] : [];
  }
  const unknown = (name: string, at: string): Fault[] => {
    if (known.has(name)) return [];
    const detail = `No field of the record is named \`${name}\`${didYouMean(suggest(name, known))}`;
    return [{ pointer: at, code: "unknown_field", detail }];
  };
  const empty = (name: string, at: string): Fault[] => {
    if (comparable.has(name) || !known.has(name)) return [];
    return [{ pointer: at, code: "unmapped_field", detail: unmappedDetail(name) }];
  };
  const named = rules.flatMap(({ match }, rule) =>
    match.flatMap((criterion, index) =>
      criterion.fields.flatMap((name, place) => {
        const at = `${pointer}/rules/${rule}/match/${index}/fields/${place}`;
        return [...unknown(name, at), ...empty(name, at)];
      }),
    ),
  );
  const chosen = Object.keys(fields).filter((name) => name !== "owner_id");
  return [...named, ...chosen.flatMap((name) => unknown(name, `${pointer}/fields/${escapePointer(name)}`))];
}

function unmappedDetail(name: string): string {
  const custom = name.startsWith(CUSTOM_PREFIX) ? name.slice(CUSTOM_PREFIX.length) : null;
  const remedy = custom === null ? `Map a field to \`${name}\`` : `Map \`${custom}\` to \`custom_fields\``;
  return (
    `No field of the Salesforce org goes to \`${name}\`, so its records have nothing to compare there. ${remedy}, or ` +
    "take it out of the rule."
  );
}
