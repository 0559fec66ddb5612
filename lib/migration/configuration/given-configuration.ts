import { z } from "zod";

import { configurationWith } from "@/lib/migration/configuration/configuration-schema";
import { importedObjects, isImported } from "@/lib/migration/objects/imported-objects";

/** A configuration as requests give it and answers have it: of the objects that this service imports. */
export const givenConfiguration = configurationWith(isImported);

/** The name of an object as requests give it. */
export const givenObject = z.enum(importedObjects());
