import type { Json } from "../schema/field";
import type { SandboxOrg } from "./sandbox-org";

/** One request, wherever it came from: the wire, or a part of a composite request. */
export interface Call {
  readonly method: string;
  /** Without query; decoded per segment by the route that matches. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

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

/** An answer: JSON, text as it is, JSON already encoded, or text in pieces that are made while they are sent. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly text?: string;
  readonly buffers?: readonly Buffer[];
  readonly pieces?: Iterable<string>;
}

export type Handler = (exchange: Exchange, ...parts: string[]) => Reply;

export const ok = (json: Json): Reply => ({ status: 200, json });
