import type { Json } from "../schema/field";
import type { PresetName } from "./presets";

/** Which requests a rule matches. A missing condition matches everything. */
interface FaultMatch {
  readonly method?: string;
  /** Part of the path. */
  readonly path?: string;
  /** A regular expression that the path matches. */
  readonly pathPattern?: string;
  /** The object of the path, of the query's FROM, or of the Bulk job. */
  readonly object?: string;
  /** Part of the SOQL text, ignoring case. */
  readonly soql?: string;
  /** Queries that select more fields than this. */
  readonly fieldsAbove?: number;
}

/** A fault: which requests it matches, which of those it affects, and what happens to them. */
export interface FaultRule extends FaultMatch {
  readonly id?: string;
  /** Lets this many matching requests through first. */
  readonly after?: number;
  /** Affects this many requests at most. */
  readonly times?: number;
  /** Affects only every n-th matching request. */
  readonly every?: number;
  /** Affects requests with this probability (0 to 1). The same seed affects the same requests. */
  readonly probability?: number;
  readonly preset?: PresetName;
  readonly status?: number;
  readonly body?: Json;
  readonly headers?: Readonly<Record<string, string>>;
  /** Waits this long before the fault, or before the ordinary answer when the rule names no fault. */
  readonly delayMs?: number;
  /**
   * `reset` resets the connection, `hang` never answers, `truncate` closes the connection within the ordinary answer,
   * `fail-job` creates a Bulk job that fails.
   */
  readonly action?: "reset" | "hang" | "truncate" | "fail-job";
}
