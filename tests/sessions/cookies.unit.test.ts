import { encode } from "next-auth/jwt";
import { expect, test } from "vitest";

import { newId } from "@/lib/ids";
import {
  OIDC_COOKIES,
  openSessionId,
  openToken,
  sealSessionId,
  sessionSecret,
} from "@/lib/sessions/browser-sessions/cookies";
import { slowToken } from "@/tests/sessions/support/slow-token";

test("a session's cookie is opened only in the form that we write: it cannot choose a slow algorithm", async () => {
  const sid = newId();
  expect(await openSessionId(await sealSessionId(sid))).toBe(sid);
  expect(await openSessionId(slowToken({ sid }))).toBeNull();
});

test("so is a cookie of a sign-in through the provider", async () => {
  const { name } = OIDC_COOKIES.state;
  const [secret, token] = [sessionSecret(), { value: "state" }];
  expect(await openToken(await encode({ token, secret, salt: name }), secret, name)).toMatchObject(token);
  expect(await openToken(slowToken(token, name), secret, name)).toBeNull();
});
