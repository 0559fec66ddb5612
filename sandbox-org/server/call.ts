import type { Json } from "../schema/field";

/** One request, wherever it came from: the wire, or a part of a composite request. */
export interface Call {
  readonly method: string;
  /** Without query; decoded per segment by the route that matches. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
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

export const ok = (json: Json): Reply => ({ status: 200, json });
