import { Environment } from "@marcbachmann/cel-js";

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
