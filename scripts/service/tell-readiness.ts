import { checkReadiness } from "@/lib/observability/readiness";
import { READINESS_QUESTION } from "@/scripts/service/supervise";

/**
 * Answers the supervisor's {@link READINESS_QUESTION} over the IPC channel: of processes that share a port, a request
 * reaches any. Does nothing without a supervisor.
 */
export function tellReadiness(): void {
  process.on("message", (message) => {
    if (message !== READINESS_QUESTION) return;
    // A supervisor that has ended needs no answer.
    void checkReadiness().then((readiness) => process.send?.(readiness, () => undefined));
  });
}
