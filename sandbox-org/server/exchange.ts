import type { Call, Reply } from "./call";
import type { SandboxOrg } from "./sandbox-org";

/** A call that found its route, with the org that answers it. */
export interface Exchange extends Call {
  readonly org: SandboxOrg;
  /** `v60.0`, for paths under /services/data. */
  readonly version: string;
  /** `/services/data/v60.0`. */
  readonly root: string;
  /** Why a Bulk job made by this request shall fail, if a fault rule wants it to. */
  readonly jobFailure: string | null;
  /** Answers another call, as composite requests need. */
  again(call: Call): Reply;
}

export type Handler = (exchange: Exchange, ...parts: string[]) => Reply;
