import { constants } from "node:os";

const SIGNALS = ["SIGTERM", "SIGINT"] as const;

/**
 * Ends this process at SIGTERM or SIGINT until the returned function is called: web and worker while they start, the
 * preparation always. The first process of a container would ignore them otherwise, since Linux gives it no default
 * action (pid_namespaces(7)).
 */
export function endAtSignals(): () => void {
  for (const signal of SIGNALS) process.on(signal, end);
  return () => {
    for (const signal of SIGNALS) process.off(signal, end);
  };
}

function end(signal: NodeJS.Signals): never {
  process.exit(128 + constants.signals[signal]);
}
