import { z } from "zod";

import { IMPORT_ORDER } from "@/lib/migration/objects/source-object-names";

/** The name of an object that migrations import. */
export const sourceObjectName = z.enum(IMPORT_ORDER);
