import { importSentence } from "@/lib/migration/report/import-sentence";
import type { LeftOut } from "@/lib/migration/report/left-out";
import type { Report, Risk } from "@/lib/migration/schemas";

const WARNING_COSTS = 6;
const WARNINGS_COST_AT_MOST = 45;
const BLOCKING_COSTS = 30;
/** Whatever else is fine: with something that has to be solved first, an org is less than half ready. */
const BLOCKED_AT_MOST = 45;

/** One number and one verdict, with the findings that they come from. */
export function readinessOf(risks: readonly Risk[], estimate: Report["estimate"], leftOut: readonly LeftOut[]): Report["readiness"] {
  const blocking = risks.filter(({ severity }) => severity === "blocking");
  const warnings = risks.filter(({ severity }) => severity === "warning");
  const full = 100 - Math.min(WARNINGS_COST_AT_MOST, warnings.length * WARNING_COSTS);
  const score = blocking.length > 0 ? Math.max(0, Math.min(BLOCKED_AT_MOST, full - blocking.length * BLOCKING_COSTS)) : full;
  const verdict = blocking.length > 0 ? "not_ready" : warnings.length > 0 ? "ready_with_warnings" : "ready";
  const found = [...blocking, ...warnings].map(({ title }) => `${title}.`);
  return { score, verdict, reasons: [importSentence(estimate, leftOut), ...(found.length > 0 ? found : ["Nothing stands in the way."])] };
}
