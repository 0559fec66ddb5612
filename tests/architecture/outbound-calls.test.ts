import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const code = globSync(["*.ts", "{app,inngest,lib}/**/*.{ts,tsx}"], {
  exclude: ["lib/generated/**", "*.config.ts", "next-env.d.ts"],
}).map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** A call of `fetch`, or an import of what could call out some other way; types are no way. */
const CALLS_OUT =
  /(?<![.\w])fetch\s*\(|globalThis\.fetch|^import (?!type )[^;]*from "(?:undici|axios|jsforce|got|node-fetch|(?:node:)?(?:https?|http2|net|tls|dgram))"/m;

test("nothing on the server calls out but lib/outbound, so every address that a user gave is checked when it is dialled", () => {
  expect(code.length).toBeGreaterThan(200);
  expect(
    code
      .filter(({ text }) => CALLS_OUT.test(text))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(["lib/outbound/address-rules.ts", "lib/outbound/outbound-fetch.ts"]);
});

test("webhooks and Salesforce orgs are called through it, under the policy of the service", () => {
  const callers = code.filter(
    ({ file, text }) => !file.startsWith("lib/outbound/") && /outbound(?:Fetch|Request)\(/.test(text),
  );
  expect(callers.map(({ file }) => file).toSorted()).toEqual([
    "lib/salesforce/client.ts",
    "lib/salesforce/oauth.ts",
    "lib/webhooks/sending/send.ts",
  ]);
  // A third argument would be a policy of the caller's own.
  for (const { text } of callers) {
    const calls = [...text.matchAll(/outbound(?:Fetch|Request)\(([^;]*)\);?$/gm)].map(([, given = ""]) => given);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter((given) => /allowPrivate|,\s*(?:true|false)\s*$/.test(given))).toEqual([]);
  }
});

test("what takes such an address checks it by the same rules at once", () => {
  const checkers = code
    .filter(({ file, text }) => !file.startsWith("lib/outbound/") && /assertOutboundUrl\(/.test(text))
    .map(({ file }) => file);
  expect(checkers.toSorted()).toEqual(["lib/salesforce/instance-url.ts", "lib/webhooks/endpoints/webhook-fields.ts"]);
});
