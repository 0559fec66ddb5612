import { Environment } from "@marcbachmann/cel-js";
import type { InngestFunction } from "inngest";
import { z } from "zod";

import { assertSupported } from "@/inngest/engine/assert-supported";

interface EventRule {
  event: string;
  holds: Condition;
}

/** A function as the engine needs it: triggers, cancellation, attempts, concurrency. */
export interface FunctionDefinition {
  /** "<app>-<function>", and for an onFailure handler "<app>-<function>-failure". */
  id: string;
  /** Attempts of one step before it fails. */
  maxAttempts: number;
  triggers: EventRule[];
  crons: string[];
  /** Conditions read the run's event as `event` and the new one as `async`. */
  cancels: EventRule[];
  /** The queue that runs the jobs of an event one after another, or null. */
  queueOf(event: unknown): string | null;
}

/** Inngest's default: four retries. */
const DEFAULT_RETRIES = 4;

/**
 * Reads the definitions of functions from the configuration that the SDK would send to a server. Throws when a function
 * needs an unsupported feature, when an expression is invalid, or when two functions have the same id.
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

/** The part of the SDK's function configuration that the engine reads. */
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

/** `getConfig` needs it for the address at which a server would call. */
const BASE_URL = new URL("http://embedded.invalid/api/inngest");

/** The function, and its onFailure handler when it has one. */
function readConfigs(appId: string, fn: InngestFunction.Any): FunctionConfig[] {
  return z.array(functionConfig).parse(fn["getConfig"]({ baseUrl: BASE_URL, appPrefix: appId }));
}

/** What a condition can read: the run's event and, for `cancelOn`, the new event. */
interface Scope {
  event: unknown;
  async?: unknown;
}

export type Condition = (scope: Scope) => boolean;

const environment = new Environment().registerVariable("event", "dyn").registerVariable("async", "dyn");

function compile(source: string): (scope: Scope) => unknown {
  const parsed = parse(source);
  // CEL throws for a missing key; an Inngest server takes it as null.
  return ({ event, async = null }) => {
    try {
      return parsed({ event, async });
    } catch {
      return null;
    }
  };
}

function parse(source: string): ReturnType<typeof environment.parse> {
  try {
    const parsed = environment.parse(source);
    const { error } = parsed.check();
    if (error) throw error;
    return parsed;
  } catch (error) {
    const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
    throw new Error(`The expression \`${source}\` is not valid CEL: ${reason}`, { cause: error });
  }
}

/** Compiles a CEL condition. Without an expression it holds; with a missing key it does not. Throws on invalid CEL. */
export function condition(source: string | undefined): Condition {
  if (source === undefined) return () => true;
  const evaluate = compile(source);
  return (scope) => evaluate(scope) === true;
}

/** Compiles a CEL expression whose value is a key, such as `event.data.migration_id`. Throws on invalid CEL. */
export function keyExpression(source: string): (event: unknown) => string {
  const evaluate = compile(source);
  return (event) => {
    const value = evaluate({ event });
    return typeof value === "string"
      ? value
      : JSON.stringify(value, (_key, part: unknown) => (typeof part === "bigint" ? Number(part) : part));
  };
}
