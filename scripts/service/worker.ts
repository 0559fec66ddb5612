import { functions } from "@/inngest/functions/all";
import { isJobProcess } from "@/inngest/job-process";
import { runWorkerProcess } from "@/inngest/worker";
import { env, usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";
import { openMetrics } from "@/lib/observability/open-metrics";
import { openTraces } from "@/lib/observability/open-traces";
import { collectAtRest } from "@/scripts/service/processes/collect-at-rest";
import { endOnDefect } from "@/scripts/service/processes/end-on-defect";
import { endAtSignals } from "@/scripts/service/processes/end-at-signals";
import { endWithSupervisor } from "@/scripts/service/processes/end-with-supervisor";
import { listenAtMetricsPort } from "@/scripts/service/processes/metrics-port";
import { refuseUnsafeDatabase } from "@/scripts/service/processes/refuse-unsafe-database";
import { tellReadiness } from "@/scripts/service/processes/tell-readiness";

endOnDefect();
const leaveSignals = endAtSignals();
endWithSupervisor();
// A worker that answers is well: jobs may have every connection of its pool for longer than a check waits.
if (!isJobProcess()) tellReadiness(async () => ({ reasons: [] }));
collectAtRest();
let takesJobs = false;
// Nobody scrapes or probes the processes of single jobs.
if (env.METRICS_PORT !== undefined && !isJobProcess()) {
  if (env.METRICS_TOKEN) await openMetrics();
  // A worker that waits for the database, or for its migrations, is well and not ready.
  listenAtMetricsPort(() => takesJobs);
}
await refuseUnsafeDatabase({ needsMigrations: true });
await openTraces("crm-worker");

// The worker process of the embedded job engine. With an Inngest server it is not needed: the web process serves the
// functions.
if (usesInngestServer) log.info("jobs run on the Inngest server of INNGEST_*; no worker is needed");
else
  await runWorkerProcess(functions, () => {
    leaveSignals();
    takesJobs = true;
  });
