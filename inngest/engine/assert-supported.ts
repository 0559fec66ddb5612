import type { InngestFunction } from "inngest";

/** What the engine does, or what the SDK does by itself. */
const SUPPORTED_OPTIONS = new Set([
  "id",
  "name",
  "description",
  "triggers",
  "retries",
  "concurrency",
  "cancelOn",
  "onFailure",
  "middleware",
  "checkpointing",
]);

/** Refuses a function that would silently behave otherwise here than on an Inngest server. */
export function assertSupported(fn: InngestFunction.Any): void {
  const options: Record<string, unknown> = { ...fn.opts };
  const refused = [
    ...Object.keys(options).filter((name) => options[name] !== undefined && !SUPPORTED_OPTIONS.has(name)),
    ...unsupportedConcurrency(options.concurrency),
    ...unsupportedCancellation(options.cancelOn),
    ...unsupportedTriggers(options.triggers),
  ];
  if (refused.length === 0) return;
  throw new Error(
    `The function ${fn.id()} asks for ${refused.join(", ")}, which the embedded job engine does not do. ` +
      "Leave it out, teach the engine, or run jobs on an Inngest server (INNGEST_* in .env.example).",
  );
}

function list(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat();
}

function unsupportedConcurrency(concurrency: unknown): string[] {
  const limits = list(concurrency);
  const known = limits.every((limit) => limit === 1 || isKeyedLimitOfOne(limit));
  return known && limits.length <= 1
    ? []
    : ["a concurrency other than one limit of 1 of its own, with or without a key"];
}

function isKeyedLimitOfOne(limit: unknown): boolean {
  if (typeof limit !== "object" || limit === null) return false;
  const { limit: most, key, scope = "fn", ...rest } = limit as Record<string, unknown>;
  return (
    most === 1 && scope === "fn" && (key === undefined || typeof key === "string") && Object.keys(rest).length === 0
  );
}

function unsupportedCancellation(cancelOn: unknown): string[] {
  return list(cancelOn).some((rule) => (rule as { timeout?: unknown }).timeout !== undefined)
    ? ["cancelOn.timeout"]
    : [];
}

function unsupportedTriggers(triggers: unknown): string[] {
  const all = list(triggers) as { event?: string | { name: string }; cron?: string; jitter?: unknown }[];
  const refused = all.length === 0 ? ["to be started by nothing (no trigger)"] : [];
  for (const { event, cron, jitter } of all) {
    const name = typeof event === "object" ? event.name : event;
    if (name !== undefined && isUnsupportedEvent(name)) refused.push(`the trigger ${name}`);
    if (jitter !== undefined) refused.push("a cron trigger with jitter");
    if (cron?.startsWith("TZ=")) refused.push("a cron trigger with a time zone");
  }
  return refused;
}

/** Patterns, and the server's own events, of which the engine only sends `inngest/function.failed`. */
function isUnsupportedEvent(event: string): boolean {
  return event.includes("*") || (event.startsWith("inngest/") && event !== "inngest/function.failed");
}
