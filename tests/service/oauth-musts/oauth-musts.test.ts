import { afterAll, beforeAll, expect, test } from "vitest";

import { createScene } from "@/tests/service/oauth-musts/support/create-scene";
import type { Must } from "@/tests/service/oauth-musts/support/must";
import { RFC_6749_ANSWERS } from "@/tests/service/oauth-musts/rules/rfc-6749-answers";
import { RFC_6749_AUTHORIZATION } from "@/tests/service/oauth-musts/rules/rfc-6749-authorization";
import { RFC_6749_CLIENT_AUTHENTICATION } from "@/tests/service/oauth-musts/rules/rfc-6749-client-authentication";
import { RFC_6749_CODES } from "@/tests/service/oauth-musts/rules/rfc-6749-codes";
import { RFC_6749_TOKEN } from "@/tests/service/oauth-musts/rules/rfc-6749-token";
import { RFC_6750 } from "@/tests/service/oauth-musts/rules/rfc-6750";
import { RFC_7009 } from "@/tests/service/oauth-musts/rules/rfc-7009";
import { RFC_7636 } from "@/tests/service/oauth-musts/rules/rfc-7636";
import { RFC_8414 } from "@/tests/service/oauth-musts/rules/rfc-8414";
import { RFC_8707 } from "@/tests/service/oauth-musts/rules/rfc-8707";
import { RFC_9207 } from "@/tests/service/oauth-musts/rules/rfc-9207";
import { RFC_9700 } from "@/tests/service/oauth-musts/rules/rfc-9700";
import { RFC_9728 } from "@/tests/service/oauth-musts/rules/rfc-9728";
import type { Scene } from "@/tests/service/oauth-musts/support/scene";

const MUSTS: readonly Must[] = [
  ...RFC_6749_AUTHORIZATION,
  ...RFC_6749_ANSWERS,
  ...RFC_6749_TOKEN,
  ...RFC_6749_CLIENT_AUTHENTICATION,
  ...RFC_6749_CODES,
  ...RFC_6750,
  ...RFC_7009,
  ...RFC_7636,
  ...RFC_8414,
  ...RFC_8707,
  ...RFC_9207,
  ...RFC_9700,
  ...RFC_9728,
];

let scene: Scene;
let tried = 0;

beforeAll(async () => {
  scene = await createScene();
});
afterAll(() => scene.actors.database.end());

test.each(MUSTS.map((row) => [`RFC ${row.rfc} §${row.section}: ${row.must}`, row] as const))(
  "%s",
  async (_name, { request, expected }) => {
    tried += 1;
    expect(await request(scene)).toMatchObject(expected);
  },
);

test("every rule was tested, and no two are the same", () => {
  const names = MUSTS.map(({ rfc, section, must }) => `${rfc} ${section} ${must}`);
  expect(new Set(names).size).toBe(MUSTS.length);
  expect([MUSTS.length, tried]).toEqual([359, 359]);
});
