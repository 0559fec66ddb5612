import { z } from "zod";

import { IMPORT_ORDER } from "@/lib/migration/objects/migrated-objects";

/** The name of an object that migrations import. */
export const migratedObject = z.enum(IMPORT_ORDER);
