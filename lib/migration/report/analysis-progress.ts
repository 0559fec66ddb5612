import { pool } from "@/lib/database/db";
import type { MigrationKey } from "@/lib/migration/migration-schema";
import { isImported } from "@/lib/migration/objects/imported-objects";
import { type AnalysisProgress, analysisProgress } from "@/lib/migration/report/analysis-schema";
import { isListed } from "@/lib/migration/report/object-reports";
import type { SurveyedObject } from "@/lib/migration/report/survey";
import { migrationInput, migrationKey, migrationNotFound } from "@/lib/migration/migration-key";
import { defineOperation } from "@/lib/operation";

export const getAnalysisProgress = defineOperation({
  name: "get_analysis_progress",
  summary: "Get what the analysis of an org reads now, and what it has counted so far. Poll it while it is analyzing.",
  scopes: ["crm:read"],
  input: migrationInput,
  output: analysisProgress,
  async run(context, { migration_id: migrationId }) {
    const found = await findFindings(migrationKey(context, migrationId));
    if (!found) throw migrationNotFound();
    return progressOf(migrationId, found);
  },
});

/** The parts of the draft that tell how far it is: see `draft.ts`. */
interface Findings {
  status: AnalysisProgress["status"];
  counted: SurveyedObject[] | null;
  surveyed: boolean;
  inspected: boolean;
  mapped: string[];
}

async function findFindings({ organizationId, migrationId }: MigrationKey): Promise<Findings | undefined> {
  const { rows } = await pool().query<Findings>(
    `SELECT status, coalesce(draft #> '{survey,objects}', draft -> 'counted') AS counted,
       draft ? 'survey' AS surveyed, draft ? 'automations' AS inspected,
       ARRAY(SELECT substr(key, 9) FROM jsonb_object_keys(draft) AS key WHERE key LIKE 'mapping:%') AS mapped
     FROM (SELECT status, CASE WHEN status = 'analyzing' THEN coalesce(report, '{}') ELSE '{}' END AS draft
       FROM migrations WHERE organization_id = $1 AND id = $2) AS migration`,
    [organizationId, migrationId],
  );
  return rows[0];
}

function progressOf(migrationId: string, { status, counted, mapped, ...done }: Findings): AnalysisProgress {
  const all = counted ?? [];
  const ours = all.filter(({ name }) => isImported(name));
  const objects = ours.map(({ name, label, count }) => ({
    object: name,
    label,
    count,
    fields_read: mapped.includes(name),
  }));
  const next = ours.find(({ name, readable }) => readable && !mapped.includes(name));
  const step = status === "analyzing" ? stepOf(done, next !== undefined) : null;
  const others = all.filter((object) => !isImported(object.name) && isListed(object));
  return {
    migration_id: migrationId,
    status,
    step,
    object: step === "fields" && next ? next.name : null,
    objects,
    others: done.surveyed
      ? {
          objects: others.length,
          records: others.reduce((sum, { count }) => sum + (count ?? 0), 0),
          all_counted: others.every(({ count }) => count !== null),
        }
      : null,
  };
}

function stepOf({ surveyed, inspected }: Pick<Findings, "surveyed" | "inspected">, hasUnmapped: boolean) {
  if (!surveyed) return "counting";
  if (hasUnmapped) return "fields";
  return inspected ? "checks" : "automations";
}
