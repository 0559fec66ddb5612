import { afterEach, beforeEach, expect, test } from "vitest";

import { env } from "@/lib/env";
import { assertOwnSite } from "@/lib/mcp/own-site";

const { APP_URL, TRUST_PROXY } = env;
const OURS = "crm.example.com";

beforeEach(() => void Object.assign(env, { APP_URL: `https://${OURS}`, TRUST_PROXY: true }));
afterEach(() => void Object.assign(env, { APP_URL, TRUST_PROXY }));

const judge = (headers: Record<string, string>) => () => assertOwnSite(new Request(`https://${OURS}`, { headers }));

test.each([
  ["in Host", { host: OURS }],
  ["with the port of https", { host: `${OURS}:443`, origin: `https://${OURS}` }],
  ["as a proxy forwards it", { host: "inner", "x-forwarded-host": OURS }],
  ["as two proxies forward it", { host: "web:3000", "x-forwarded-host": `${OURS}, inner` }],
  ["with the page's origin", { host: "inner", "x-forwarded-host": `${OURS},inner`, origin: `https://${OURS}` }],
])("our name is answered: %s", (_, headers) => {
  expect(judge(headers)).not.toThrow();
});

test.each([
  ["in Host", { host: "evil.example" }],
  ["before ours", { host: OURS, "x-forwarded-host": `evil.example, ${OURS}` }],
  ["behind a forged one", { host: OURS, "x-forwarded-host": `${OURS}, evil.example`, origin: "https://evil.example" }],
])("another name is refused: %s", (_, headers) => {
  expect(judge(headers)).toThrow(expect.objectContaining({ code: "forbidden" }));
});

test("without a trusted proxy nobody forwards a name", () => {
  env.TRUST_PROXY = false;
  expect(judge({ host: OURS, "x-forwarded-host": "evil.example" })).not.toThrow();
  expect(judge({ host: "evil.example", "x-forwarded-host": OURS })).toThrow(`at ${OURS} only`);
});
