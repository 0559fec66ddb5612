import { expect, test } from "vitest";

import { safeName } from "@/lib/settings/organization/export/attachments";

test.each([
  ["Angebot Müller.pdf", "Angebot Müller.pdf"],
  ["../../etc/passwd", "__.._etc_passwd"],
  ["a\u0000b\\c:d?.txt", "a_b_c_d_.txt"],
  ["CON.txt", "_CON.txt"],
  ["ends. ", "ends"],
  ["...", "file"],
  [`${"long ".repeat(60)}.docx`, expect.stringMatching(/^.{100}$/)],
])("the file %o is %o in an archive, on every system", (name, expected) => {
  expect(safeName(name)).toEqual(expected);
});
