import type { MigratedObjectName } from "@/lib/migration/schemas";

interface Part {
  whole: MigratedObjectName;
  /** Whether every record needs its whole. An e-mail without a case becomes an activity. */
  always: boolean;
}

/** Objects whose records belong to those of another, without which they fail. */
export const PART_OF: Partial<Record<MigratedObjectName, Part>> = {
  CaseComment: { whole: "Case", always: true },
  EmailMessage: { whole: "Case", always: false },
};
