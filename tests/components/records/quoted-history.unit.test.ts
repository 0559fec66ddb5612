import { expect, test } from "vitest";

import { splitQuoted } from "@/components/records/thread/quoted-history";

test.each([
  [
    "Thanks.\r\n\r\n--------------- Original Message ---------------\r\n> old\r\n> older",
    "Thanks.",
    /^-+ Original Message -+\n> old\n> older$/,
  ],
  ["Thanks.\n\nOn Mon, 3 Feb 2025 at 10:00, Ann <ann@x.example> wrote:\n> old", "Thanks.", /^On Mon.*\n> old$/],
  ["Thanks.\n\nOn Mon, 3 Feb 2025 at 10:00, Ann\n<ann@x.example> wrote:\n> old", "Thanks.", /^On Mon/],
  ["Danke.\n\nAm 3. Februar 2025 schrieb Ann Müller:\nalles alt", "Danke.", /^Am 3/],
  ["Thanks.\n> old\n>\n\n> older\n", "Thanks.", /^> old\n>\n\n> older$/],
])("history at the end of an e-mail is told apart: %j", (text, own, quoted) => {
  expect(splitQuoted(text).own).toBe(own);
  expect(splitQuoted(text).quoted).toMatch(quoted);
});

test.each([
  "Only this.",
  "> quoted\nAnswered below.",
  "On Monday Ann wrote:\n> old\nAnswered below.",
  "> nothing but a quotation",
  "On the phone she said that he wrote: nothing",
  "",
])("what is no history stays: %j", (text) => {
  expect(splitQuoted(text)).toEqual({ own: text, quoted: "" });
});

test("a long text is split in a short time", () => {
  // The time of this thread only; the clock also counts what else the machine does.
  const began = process.threadCpuUsage();
  splitQuoted("On ".repeat(200_000));
  splitQuoted("On a\n".repeat(100_000));
  const { user, system } = process.threadCpuUsage(began);
  expect(user + system).toBeLessThan(2_000_000);
});
