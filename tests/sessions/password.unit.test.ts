import { expect, test } from "vitest";

import { hashPassword } from "@/lib/sessions/passwords/password";

test("a password is stored as an argon2id hash, at the least cost that OWASP recommends", async () => {
  expect(await hashPassword("correct horse battery")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
