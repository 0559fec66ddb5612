import { isSelectable } from "@/lib/migration/objects/source-object-names";
import { READINESS_FORMULA, READINESS_WEIGHTS as WEIGHTS } from "@/lib/migration/report/readiness-weights";
import type { Report, Risk } from "@/lib/migration/report/report-schema";
import { importSentence } from "@/lib/migration/report/wording";

type Part = NonNullable<Report["readiness"]["parts"]>[number];

/** The score with the parts whose sum it is, and the verdict with the findings that they result from. */
export function readinessOf(
  risks: readonly Risk[],
  estimate: Report["estimate"],
  inventory: Report["inventory"],
): Report["readiness"] {
  const blocking = risks.filter(({ severity }) => severity === "blocking");
  const warnings = risks.filter(({ severity }) => severity === "warning");
  const verdict = blocking.length > 0 ? "not_ready" : warnings.length > 0 ? "ready_with_warnings" : "ready";
  const found = [...blocking, ...warnings].map(({ title }) => `${title}.`);
  const parts = partsOf(blocking, warnings);
  const imports = inventory.filter(({ status }) => isSelectable(status));
  const sum = { records: estimate.records, areAllCounted: imports.every(({ count }) => count !== null) };
  const sentence = importSentence(
    sum,
    imports.flatMap((item) => item.left_out),
  );
  return {
    score: sumOf(parts),
    verdict,
    reasons: [sentence, ...(found.length > 0 ? found : ["Nothing prevents the migration."])],
    formula: READINESS_FORMULA,
    parts,
  };
}

function partsOf(blocking: readonly Risk[], warnings: readonly Risk[]): Part[] {
  const parts: Part[] = [{ code: "start", object: null, title: "Every org starts with", points: WEIGHTS.start }];
  let left: number = WEIGHTS.all_warnings;
  for (const { code, object, title } of warnings) {
    const points = Math.max(WEIGHTS.warning, left);
    left -= points;
    parts.push({ code, object, title, points });
  }
  for (const { code, object, title } of blocking) parts.push({ code, object, title, points: WEIGHTS.blocking });
  const sum = sumOf(parts);
  const bounded = blocking.length > 0 ? Math.max(0, Math.min(WEIGHTS.most_if_blocked, sum)) : sum;
  const title = `With a blocking risk, between 0 and ${WEIGHTS.most_if_blocked}`;
  return bounded === sum ? parts : [...parts, { code: "bounds", object: null, title, points: bounded - sum }];
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { points }) => sum + points, 0);
}
