import type { InngestFunction } from "inngest";
import { z } from "zod";

import { assertSupported } from "@/inngest/engine/assert-supported";
import { type Condition, condition, keyExpression } from "@/inngest/engine/expression";

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
 * Reads the definitions of functions from the configuration that the SDK would send to a server. Throws when a function
 * asks for something that this engine does not do, when an expression is faulty, or when two functions have the same
 * id.
 */
export function readDefinitions(
  appId: string,
  functions: readonly InngestFunction.Any[],
): Map<string, FunctionDefinition> {
  const definitions = new Map<string, FunctionDefinition>();
  for (const fn of functions) {
    assertSupported(fn);
    for (const config of readConfigs(appId, fn)) {
      if (definitions.has(config.id)) throw new Error(`Two functions have the id ${config.id}.`);
      definitions.set(config.id, toDefinition(config));
    }
  }
  return definitions;
}

function toDefinition(config: FunctionConfig): FunctionDefinition {
  const { id, triggers, steps, cancel } = config;
  return {
    id,
    maxAttempts: (steps.step.retries?.attempts ?? DEFAULT_RETRIES) + 1,
    triggers: triggers.flatMap((trigger) =>
      "event" in trigger ? [{ event: trigger.event, holds: condition(trigger.expression) }] : [],
    ),
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

/** What the SDK tells a server about a function, as far as the engine reads it. */
const functionConfig = z.object({
  id: z.string(),
  triggers: z.array(
    z.union([z.object({ event: z.string(), expression: z.string().optional() }), z.object({ cron: z.string() })]),
  ),
  steps: z.object({ step: z.object({ retries: z.object({ attempts: z.number().int() }).optional() }) }),
  concurrency: z
    .union([z.number(), z.object({ key: z.string().optional() }), z.array(z.object({ key: z.string().optional() }))])
    .optional(),
  cancel: z.array(z.object({ event: z.string(), if: z.string().optional() })).default([]),
});

type FunctionConfig = z.infer<typeof functionConfig>;

/** Only `getConfig` looks at it, and only for the address at which a real server would call. */
const BASE_URL = new URL("http://embedded.invalid/api/inngest");

/** The function, and its onFailure handler when it has one. */
function readConfigs(appId: string, fn: InngestFunction.Any): FunctionConfig[] {
  return z.array(functionConfig).parse(fn["getConfig"]({ baseUrl: BASE_URL, appPrefix: appId }));
}
