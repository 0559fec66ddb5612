import { z } from "zod";

import { timestampOutput } from "@/lib/input/ids-and-times";
import { configurationSchema } from "@/lib/migration/configuration/configuration-schema";

const choiceFault = z.object({ pointer: z.string(), code: z.string(), detail: z.string() });

export type ChoiceFault = z.output<typeof choiceFault>;

/** What an import has stored. */
export const importedChoices = z.object({
  configuration: configurationSchema,
  left_out: z.array(choiceFault).describe("The choices that were left out, and why."),
  warnings: z.array(choiceFault).describe("What is possible, and seldom meant: the choices were made for another org."),
});

export type ImportedChoices = z.output<typeof importedChoices>;

/** The stored choices compared with a report. */
export const checkedChoices = z.object({
  report_of: z.uuid(),
  generated_at: timestampOutput.describe("When that report was made."),
  same_org: z.boolean().nullable().describe("Whether both reports are of one org; null: unknown."),
  void: z.array(choiceFault).describe("Choices that name fields, values, objects or members that are not there."),
  impossible: z.array(choiceFault).describe("Choices that are not possible for another reason."),
  warnings: z
    .array(choiceFault)
    .describe("Choices that are possible, and seldom meant: what comes before its parents."),
});

export type CheckedChoices = z.output<typeof checkedChoices>;
