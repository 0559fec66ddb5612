import { functions } from "@/inngest/functions/all";
import { runWorkerProcess } from "@/inngest/worker";
import { usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";
import { endOnDefect } from "@/scripts/service/end-on-defect";
import { endWithSupervisor } from "@/scripts/service/end-with-supervisor";
import { refuseOwner } from "@/scripts/service/refuse-owner";

endOnDefect();
endWithSupervisor();
await refuseOwner();

// The worker process of the embedded job engine. With an Inngest server it is not needed: the web process serves the
// functions.
if (usesInngestServer) log.info("jobs run on the Inngest server of INNGEST_*; no worker is needed");
else await runWorkerProcess(functions);
