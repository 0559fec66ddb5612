import { globSync, readFileSync } from "node:fs";

import { expect, test } from "vitest";

const code = globSync(["*.ts", "{app,inngest,lib}/**/*.{ts,tsx}"], {
  exclude: ["lib/generated/**", "*.config.ts", "next-env.d.ts"],
}).map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** A call of `fetch`, or an import that can make calls in another way, now or later; type imports cannot. */
const CALLS_OUT = new RegExp(
  String.raw`(?<![.\w])fetch\s*\(|globalThis\.fetch` +
    String.raw`|(?:^(?:import|export) (?!type )(?:[^;]*from )?|\bimport\s*\(\s*|\brequire\s*\(\s*)` +
    '"(?:undici|axios|jsforce|got|node-fetch|(?:node:)?(?:https?|http2|net|tls|dgram))"',
  "m",
);

test("on the server only lib/outbound makes calls, so every dialled address is checked", () => {
  expect(code.length).toBeGreaterThan(200);
  expect(
    code
      .filter(({ text }) => CALLS_OUT.test(text))
      .map(({ file }) => file)
      .toSorted(),
  ).toEqual(["lib/outbound/address-rules.ts", "lib/outbound/outbound-fetch.ts"]);
});

test("webhooks and Salesforce orgs are called through it, under the service's policy", () => {
  const callers = code.filter(
    ({ file, text }) => !file.startsWith("lib/outbound/") && /outbound(?:Fetch|Request)\(/.test(text),
  );
  expect(callers.map(({ file }) => file).toSorted()).toEqual([
    "lib/salesforce/client.ts",
    "lib/salesforce/oauth.ts",
    "lib/webhooks/sending/send.ts",
  ]);
  // A third argument would be the caller's own policy.
  for (const { text } of callers) {
    const calls = [...text.matchAll(/outbound(?:Fetch|Request)\(([^;]*)\);?$/gm)].map(([, given = ""]) => given);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.filter((given) => /allowPrivate|,\s*(?:true|false)\s*$/.test(given))).toEqual([]);
  }
});

test("what accepts such an address checks it at once by the same rules", () => {
  const checkers = code
    .filter(({ file, text }) => !file.startsWith("lib/outbound/") && /assertOutboundUrl\(/.test(text))
    .map(({ file }) => file);
  expect(checkers.toSorted()).toEqual(["lib/salesforce/instance-url.ts", "lib/webhooks/endpoints/webhook-fields.ts"]);
});
