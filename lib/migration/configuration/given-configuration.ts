import { z } from "zod";

import { type Configuration, configurationWith } from "@/lib/migration/configuration/configuration-schema";
import { importedObjects, isImported } from "@/lib/migration/objects/imported-objects";

/** A configuration as requests give it and answers have it: of the objects that this service imports. */
export const givenConfiguration = configurationWith(isImported);

/** The name of an object as requests give it. */
export const givenObject = z.enum(importedObjects());

const IMPORTED: ReadonlySet<string> = new Set(importedObjects());

/** Stored choices as answers have them: without those for objects that this service does not import any more. */
export function givenChoices(stored: Configuration): Configuration {
  const given = Object.entries(stored.objects).filter(([object]) => IMPORTED.has(object));
  return { ...stored, objects: Object.fromEntries(given) };
}
