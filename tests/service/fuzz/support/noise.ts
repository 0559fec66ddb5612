import * as fc from "fast-check";

import type { Break } from "@/tests/service/fuzz/support/breaks";

/** Headers that a server, its framework or a cache in front of it may act on. */
const HEADERS: [name: string, value: string][] = [
  ["accept", "text/html;q=nonsense"],
  ["accept-encoding", "br;q=1, *;q=0"],
  ["content-encoding", "gzip"],
  ["content-type", 'application/json; charset="utf-16"'],
  ["cookie", "__Host-session=x; =; a=%ff"],
  ["expect", "100-continue"],
  ["host", "evil.example"],
  ["if-modified-since", "nonsense"],
  ["if-none-match", "*"],
  ["next-action", "x".repeat(42)],
  ["next-router-state-tree", "%5B"],
  ["next-router-prefetch", "1"],
  ["next-resume", "1"],
  ["origin", "https://evil.example"],
  ["range", "bytes=0-0"],
  ["rsc", "1"],
  ["x-forwarded-for", "'; DROP TABLE accounts; --"],
  ["x-forwarded-host", "evil.example"],
  ["x-forwarded-proto", "gopher"],
  ["x-http-method-override", "DELETE"],
  ["x-middleware-subrequest", "proxy:proxy:proxy:proxy:proxy"],
  ["x-nextjs-data", "1"],
  ["x-request-id", "\xff"],
];

const header = fc.constantFrom(...HEADERS).map(([name, value]): Break => ({
  how: name,
  corrupt: (draft) => ({ ...draft, headers: { ...draft.headers, [name]: value } }),
}));

/** Not DELETE, which would delete records that other requests need. */
const method = fc
  .constantFrom("HEAD", "OPTIONS", "GET", "POST", "PUT", "PATCH", "TRACE", "PROPFIND")
  .map((method): Break => ({
    how: method,
    corrupt: (draft) => ({ ...draft, rewrite: { ...draft.rewrite, method } }),
  }));

const place = fc.nat(100_000);

const bytes = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 4 }).map((flips): Break => ({
  how: "bytes",
  corrupt: (draft) => ({ ...draft, rewrite: { ...draft.rewrite, body: (text) => flipped(Buffer.from(text), flips) } }),
}));

/** Changes bytes, except those of addresses: the service must only call this machine. */
function flipped(body: Buffer, flips: readonly [number, number][]): Buffer {
  const addresses = [...body.toString("latin1").matchAll(/"https?:[^"]*"/gi)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }));
  for (const [place, value] of flips) {
    const at = place % Math.max(1, body.length);
    if (!addresses.some(({ from, to }) => at >= from && at < to)) body[at] = value;
  }
  return body;
}

/** Replaces a character of the request line by another valid one. */
const character = fc.tuple(place, fc.constantFrom(..."%/?&=#;.:@\\[]{}|^`\"'+~0aZ\xe9")).map(([at, other]): Break => ({
  how: "target",
  corrupt: (draft) => ({
    ...draft,
    rewrite: { ...draft.rewrite, target: (target) => replaceAt(target, 1 + (at % (target.length - 1)), other) },
  }),
}));

function replaceAt(text: string, at: number, other: string): string {
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** Changes that may leave a request valid, or turn it into another one. Only the answer's form is checked. */
export const noise: fc.Arbitrary<Break> = fc.oneof(header, method, bytes, character);
