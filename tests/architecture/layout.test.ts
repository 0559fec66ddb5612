import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";

import { expect, test } from "vitest";

/** The schema has the columns that the formatter of Prisma gives it. */
const CODE = /\.(?:tsx?|mjs|css)$/;

/** Files of the repository, without what is generated or written by tools. */
const all = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => existsSync(file));

const files = all.filter((file) => CODE.test(file));

const texts = all.filter((file) => file.endsWith(".md") || file === ".env.example");

const production = files.filter((file) => /^(?:lib|inngest)\/.*\.tsx?$/.test(file));

/** Rows of tables and code within texts cannot be broken. */
const UNBREAKABLE = /^ *```.*?^ *```|^ *\|.*?$/gms;

function linesOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return (file.endsWith(".md") ? text.replaceAll(UNBREAKABLE, (part) => part.replaceAll(/.+/g, "")) : text).split("\n");
}

test("no line of code, comments or texts is wider than 120 columns", () => {
  const wide = [...files, ...texts].flatMap((file) =>
    linesOf(file).flatMap((line, index) =>
      // Nothing can be broken that has no space.
      [...line].length > 120 && line.trim().includes(" ") ? [`${file}:${index + 1}`] : [],
    ),
  );
  expect(wide).toEqual([]);
});

test("files of lib and inngest have at most 300 lines, and nine of ten at most 160", () => {
  const sizes = new Map(production.map((file) => [file, linesOf(file).length - 1]));
  expect([...sizes].filter(([, lines]) => lines > 300)).toEqual([]);
  const large = [...sizes].filter(([, lines]) => lines > 160).map(([file, lines]) => `${lines} ${file}`);
  expect(large.length).toBeLessThan(production.length / 10);
});

test("no folder of lib, inngest and scripts holds more than 20 files, and each one below lib has a README", () => {
  const bounded = [...production, ...files.filter((file) => /^scripts\/.*\.ts$/.test(file))];
  const folders = Map.groupBy(bounded, (file) => dirname(file));
  expect([...folders].filter(([, inside]) => inside.length > 20).map(([folder]) => folder)).toEqual([]);
  const deeper = production.filter((file) => file.split("/").length > 2);
  const names = [...new Set(deeper.map((file) => file.split("/")[1]))];
  const ofLib = names.filter((name) => existsSync(`lib/${name}`)).map((name) => `lib/${name}/README.md`);
  expect([...ofLib, "lib/README.md", "inngest/README.md"].filter((readme) => !existsSync(readme))).toEqual([]);
});
