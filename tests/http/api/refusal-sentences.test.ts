import { beforeAll, expect, test } from "vitest";

import { createAccessToken, createContext } from "@/tests/support/factories";

import { type Call, callerWith } from "@/tests/http/support/call-api";

let call: Call;

beforeAll(async () => {
  call = callerWith(await createAccessToken(await createContext()));
});

const ID = "01890000-0000-7000-8000-000000000000";

const DEAL = { name: "Hundred drills", stage: "prospecting" };

test.each([
  ["POST", "/opportunities", { body: DEAL }, "`close_date` is needed."],
  ["POST", "/opportunities", { body: { ...DEAL, close_date: "soon" } }, "Write a date like 2026-12-31."],
  ["PATCH", `/leads/${ID}`, { body: { annual_revenue: "12,5" } }, '"Write a number, like 12500 or 12500.50."'],
  ["POST", "/accounts/batch", { body: { mode: "all_or_nothing", items: [null] } }, "An item is an object"],
  ["POST", "/accounts/batch", { body: { mode: "all_or_nothing", items: [5] } }, "An item is an object"],
  [
    "POST",
    "/accounts/batch",
    { body: { mode: "all_or_nothing", items: [{}] } },
    "`action` is create, update or upsert.",
  ],
  ["GET", "/opportunities?fields=", {}, "A name is empty"],
  ["GET", "/opportunities?owner=me", {}, "did you mean `owner_id`?"],
  [
    "POST",
    "/accounts",
    { body: { name: "A" }, headers: { "idempotency-key": "a b" } },
    "with a space or a comma in it, within double quotes.",
  ],
])("the refusal of %s %s, %j, says %s", async (method, path, asked, sentence) => {
  const { status, text } = await call(method, path, asked);
  expect(status).toBe(400);
  expect(JSON.stringify(JSON.parse(text)).replaceAll('\\"', '"')).toContain(sentence);
});
