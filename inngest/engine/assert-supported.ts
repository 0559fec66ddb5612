import type { InngestFunction } from "inngest";

/** Options that the engine supports, or that the SDK handles by itself. */
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

/** Throws for a function that would silently behave differently here than on an Inngest server. */
export function assertSupported(fn: InngestFunction.Any): void {
  const options: Record<string, unknown> = { ...fn.opts };
  const unsupported = [
    ...Object.keys(options).filter((name) => options[name] !== undefined && !SUPPORTED_OPTIONS.has(name)),
    ...unsupportedConcurrency(options.concurrency),
    ...unsupportedCancellation(options.cancelOn),
    ...unsupportedTriggers(options.triggers),
  ];
  if (unsupported.length === 0) return;
  throw new Error(
    `The function ${fn.id()} asks for ${unsupported.join(", ")}, which the embedded job engine does not support. ` +
      "Leave it out, extend the engine, or run jobs on an Inngest server (INNGEST_* in .env.example).",
  );
}

function list(value: unknown): unknown[] {
  return value === undefined ? [] : [value].flat();
}

function unsupportedConcurrency(concurrency: unknown): string[] {
  const limits = list(concurrency);
  const known = limits.every((limit) => limit === 1 || isKeyedLimitOfOne(limit));
  return known && limits.length <= 1 ? [] : ["a concurrency other than one limit of 1, with or without a key"];
}

function isKeyedLimitOfOne(limit: unknown): boolean {
  if (typeof limit !== "object" || limit === null) return false;
  const { limit: max, key, scope = "fn", ...rest } = limit as Record<string, unknown>;
  return (
    max === 1 && scope === "fn" && (key === undefined || typeof key === "string") && Object.keys(rest).length === 0
  );
}

function unsupportedCancellation(cancelOn: unknown): string[] {
  return list(cancelOn).some((rule) => (rule as { timeout?: unknown }).timeout !== undefined)
    ? ["cancelOn.timeout"]
    : [];
}

function unsupportedTriggers(triggers: unknown): string[] {
  const all = list(triggers) as { event?: string | { name: string }; cron?: string; jitter?: unknown }[];
  const unsupported = all.length === 0 ? ["no trigger"] : [];
  for (const { event, cron, jitter } of all) {
    const name = typeof event === "object" ? event.name : event;
    if (name !== undefined && isUnsupportedEvent(name)) unsupported.push(`the trigger ${name}`);
    if (jitter !== undefined) unsupported.push("a cron trigger with jitter");
    if (cron?.startsWith("TZ=")) unsupported.push("a cron trigger with a time zone");
  }
  return unsupported;
}

/** Patterns, and events of the server itself, of which the engine sends only `inngest/function.failed`. */
function isUnsupportedEvent(event: string): boolean {
  return event.includes("*") || (event.startsWith("inngest/") && event !== "inngest/function.failed");
}
