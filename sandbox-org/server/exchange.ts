import type { Call, Reply } from "./call";
import type { SandboxOrg } from "./sandbox-org";

/** A call with its route found, and the org that answers it. */
export interface Exchange extends Call {
  readonly org: SandboxOrg;
  /** `v60.0`, for paths under /services/data. */
  readonly version: string;
  /** `/services/data/v60.0`. */
  readonly root: string;
  /** The error message of a Bulk job that a fault rule makes fail, or null. */
  readonly jobFailure: string | null;
  /** Answers another call: a part of a composite request. */
  dispatch(call: Call): Reply;
}

export type Handler = (exchange: Exchange, ...parts: string[]) => Reply;
