import type { Json } from "../schema/field";

/** One request: an HTTP request, or a part of a composite request. */
export interface Call {
  readonly method: string;
  /** Without the query. The matching route decodes each segment. */
  readonly path: string;
  readonly search: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** An answer: JSON, plain text, encoded JSON, or chunks of text that are made while they are sent. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: Json;
  readonly text?: string;
  readonly buffers?: readonly Buffer[];
  readonly chunks?: Iterable<string>;
}

export const ok = (json: Json): Reply => ({ status: 200, json });
