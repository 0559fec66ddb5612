import type { Readiness } from "@/lib/observability/readiness";
import type { ReadinessQuestion } from "@/scripts/service/supervisor/supervise";

/**
 * Answers the supervisor's questions with what `check` says, over the IPC channel: of processes that share a port, a
 * request reaches any, and a worker takes none. Does nothing without a supervisor.
 */
export function tellReadiness(check: () => Promise<Pick<Readiness, "reasons">>): void {
  process.on("message", (message: ReadinessQuestion) => {
    const { readinessOf } = message;
    // A supervisor that has ended needs no answer.
    void check().then((readiness) => process.send?.({ readinessOf, readiness }, () => undefined));
  });
  // It does not keep a process that has ended its work.
  process.channel?.unref();
}
