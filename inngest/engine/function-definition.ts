import type { InngestFunction } from "inngest";

import { type Condition, condition, keyExpression } from "@/inngest/engine/expression";
import { type FunctionConfig, readConfigs } from "@/inngest/engine/function-config";
import { refuseUnknownOptions } from "@/inngest/engine/refuse-unknown-options";

interface EventRule {
  event: string;
  holds: Condition;
}

/** A function as the engine sees it: when it starts, when it is cancelled, how often it is tried. */
export interface FunctionDefinition {
  /** "<app>-<function>", with "-failure" behind it for an onFailure handler. */
  id: string;
  /** Calls of one step before it has failed for good. */
  maxAttempts: number;
  triggers: EventRule[];
  crons: string[];
  /** Sees the run's event as `event` and the one that has arrived as `async`. */
  cancels: EventRule[];
  /** The queue in which runs started by an event wait for one another, or null. */
  queueOf(event: unknown): string | null;
}

/** Inngest's default: four retries. */
const DEFAULT_RETRIES = 4;
/**
 * Reads the definitions of functions from the configuration that the SDK would send to a server. Throws when a function asks for
 * something that this engine does not do, when an expression is faulty, or when two functions have the same id.
 */
export function readDefinitions(appId: string, functions: readonly InngestFunction.Any[]): Map<string, FunctionDefinition> {
  const definitions = new Map<string, FunctionDefinition>();
  for (const fn of functions) {
    refuseUnknownOptions(fn);
    for (const config of readConfigs(appId, fn)) {
      if (definitions.has(config.id)) throw new Error(`Two functions have the id ${config.id}.`);
      definitions.set(config.id, define(config));
    }
  }
  return definitions;
}

function define(config: FunctionConfig): FunctionDefinition {
  const { id, triggers, steps, cancel } = config;
  return {
    id,
    maxAttempts: (steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    triggers: triggers.flatMap((trigger) => ("event" in trigger ? [{ event: trigger.event, holds: condition(trigger.expression) }] : [])),
    crons: triggers.flatMap((trigger) => ("cron" in trigger ? [trigger.cron] : [])),
    cancels: cancel.map((rule) => ({ event: rule.event, holds: condition(rule.if) })),
    queueOf: queueOf(config),
  };
}

function queueOf({ id, concurrency }: FunctionConfig): (event: unknown) => string | null {
  const limit = [concurrency].flat()[0];
  if (limit === undefined) return () => null;
  const key = typeof limit === "object" && limit.key ? keyExpression(limit.key) : () => "";
  return (event) => `${id}:${key(event)}`;
}
