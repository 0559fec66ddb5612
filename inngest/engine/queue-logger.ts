import { Logger } from "graphile-worker";

import { log } from "@/lib/log";

/** graphile-worker's words in our log. What it tells of every single job is left out: runs are logged by the engine. */
export const queueLogger = new Logger((scope) => (level, message) => {
  const fields = { worker_id: scope.workerId, job_id: scope.jobId };
  if (level === "error") log.error(fields, message);
  else if (level === "warning") log.warn(fields, message);
  else log.debug(fields, message);
});
