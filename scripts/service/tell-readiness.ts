import { checkReadiness } from "@/lib/observability/readiness";
import type { ReadinessQuestion } from "@/scripts/service/supervise";

/**
 * Answers the supervisor's questions whether this process is ready over the IPC channel: of processes that share a
 * port, a request reaches any. Does nothing without a supervisor.
 */
export function tellReadiness(): void {
  process.on("message", (message: ReadinessQuestion) => {
    const { readinessOf } = message;
    // A supervisor that has ended needs no answer.
    void checkReadiness().then((readiness) => process.send?.({ readinessOf, readiness }, () => undefined));
  });
}
