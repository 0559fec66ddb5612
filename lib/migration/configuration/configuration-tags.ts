import { createHash } from "node:crypto";

import { canonicalJson } from "@/lib/input/bounded-json";
import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { IMPORT_ORDER, type SourceObjectName } from "@/lib/migration/objects/source-object-names";
import { SOURCE_OBJECTS } from "@/lib/migration/objects/source-objects";
import { owners as ownersSchema } from "@/lib/migration/owners/owners-schema";

/**
 * The entity-tag of a configuration: a digest of its choices. The same choices have the same tag whoever saved them, so
 * a save that changed nothing stands in nobody's way.
 */
export function tagOfConfiguration(configuration: Configuration): string {
  return choicesDigest(configuration);
}

/** 22 characters, the same for equal choices, whatever the order of their names. */
function choicesDigest(choices: unknown): string {
  return createHash("sha256").update(canonicalJson(choices)).digest("base64url").slice(0, 22);
}

type MappingTags = Partial<Record<SourceObjectName, string>>;

/**
 * By selected object, a digest of the choices that say what its records become here. A run that reads all of an object
 * stores the tag with which it begins, so that a migration can tell when records are here that other choices made.
 */
export function mappingTags(configuration: Configuration): MappingTags {
  const selected = IMPORT_ORDER.filter((object) => configuration.objects[object]?.selected !== false);
  return Object.fromEntries(selected.map((object) => [object, choicesDigest(choicesOf(configuration, object))]));
}

/** SQL: whether other choices than those that are stored now (`m`) made what is here of an object (`o`). */
export const ARE_CHOICES_CHANGED = "coalesce(o.mapping_tag <> m.mapping_tags ->> o.object, false)";

/** What is absent equals its default. Whether and how an object is read does not change what its records become. */
function choicesOf({ objects, owners, threads }: Configuration, object: SourceObjectName): unknown {
  const { fields = {}, values = {}, relationships = {}, duplicates = null } = objects[object] ?? {};
  const links = Object.entries(relationships).filter(([, choice]) => choice !== "heal");
  return {
    fields,
    values,
    relationships: Object.fromEntries(links),
    duplicates,
    owners: ownersSchema.parse(owners ?? {}),
    threads: SOURCE_OBJECTS[object].resource === "case_comments" ? threads : null,
  };
}
