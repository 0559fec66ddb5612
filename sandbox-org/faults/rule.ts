import type { Json } from "../schema/field";
import type { PresetName } from "./presets";

/** Which requests a rule means; what is left out matches everything. */
interface FaultMatch {
  readonly method?: string;
  /** Part of the path. */
  readonly path?: string;
  /** A regular expression that the path matches. */
  readonly pathPattern?: string;
  /** The object of the path, of the query's FROM, or of the Bulk job. */
  readonly object?: string;
  /** Part of the SOQL text, whatever its case. */
  readonly soql?: string;
}

/** A fault: for which requests, for which of them, and what happens then. */
export interface FaultRule extends FaultMatch {
  readonly id?: string;
  /** Lets this many matching requests through first. */
  readonly after?: number;
  /** Ends after it struck this often. */
  readonly times?: number;
  /** Strikes every n-th matching request only. */
  readonly every?: number;
  /** Strikes with this probability (0 to 1), by a generator seeded with the org's seed. */
  readonly probability?: number;
  readonly preset?: PresetName;
  readonly status?: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits this long, then goes on: with the fault, or with the ordinary answer when the rule names none. */
  readonly delayMs?: number;
  /**
   * `reset` cuts the connection, `hang` never answers, `truncate` cuts the connection within the ordinary answer,
   * `fail-job` lets a Bulk job be created and fail.
   */
  readonly action?: "reset" | "hang" | "truncate" | "fail-job";
}
