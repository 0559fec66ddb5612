import type { Dispatcher } from "undici";

/** One request of the load generator. */
export interface PlannedRequest {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  path: string;
  token?: string;
  /** Besides those that follow from `token` and `body`, or in their place; named in lower case. */
  headers?: Record<string, string>;
  body?: string;
}

export interface Answered {
  status: number;
  /** From the call until the last byte of the answer. */
  milliseconds: number;
  body: string;
}

/**
 * Sends a request and reads its whole answer. The body is only collected if `wantsBody`, because that takes CPU time
 * from the service.
 */
export function exchange(
  client: Dispatcher,
  { method, path, token, headers: given, body }: PlannedRequest,
  wantsBody: (status: number) => boolean,
): Promise<Answered> {
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { "content-type": "application/json" }),
    ...given,
  };
  return new Promise((done, fail) => {
    const started = performance.now();
    const chunks: Buffer[] = [];
    let status = 0;
    let collects = false;
    client.dispatch(
      { method, path, headers, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, code) => {
          status = code;
          collects = wantsBody(code);
        },
        onResponseData: (_controller, chunk) => void (collects && chunks.push(chunk)),
        onResponseEnd: () =>
          done({ status, milliseconds: performance.now() - started, body: Buffer.concat(chunks).toString() }),
        onResponseError: (_controller, error) => fail(error),
      },
    );
  });
}

/** Whether a request succeeded. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
