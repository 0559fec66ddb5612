import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { pool as servicePool } from "@/lib/database/db";
import { storeStaticFiles } from "@/scripts/postgres/store-static-files";
import { compressStatic } from "@/scripts/service/web/static-files";
import { findStaticFile } from "@/scripts/service/web/find-static-file";
import { pool } from "@/tests/support/owner";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crm-builds-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A build with a script of its own and one that all builds have. */
async function store(build: string): Promise<void> {
  const next = join(folder, build);
  await mkdir(join(next, "static/chunks"), { recursive: true });
  for (const name of [build, "common"]) await writeFile(join(next, `static/chunks/${name}.js`), `"${name}"`);
  await writeFile(join(next, "BUILD_ID"), build);
  await compressStatic(next);
  await writeFile(join(next, "built-from"), "digest");
  await storeStaticFiles(process.env.DATABASE_OWNER_URL ?? "", next);
}

/** The builds whose own script is found, of these. */
async function found(...builds: string[]): Promise<string[]> {
  const kept: string[] = [];
  for (const build of builds) if (await findStaticFile(`static/chunks/${build}.js`)) kept.push(build);
  return kept;
}

test("the scripts of the last three builds are kept, and a build that comes back is the newest one", async () => {
  const all = ["first", "second", "third", "fourth", "common"];
  for (const build of ["first", "second", "third"]) await store(build);
  expect(await found(...all)).toEqual(["first", "second", "third", "common"]);
  await store("first");
  const { rows } = await pool().query("SELECT build, path FROM static_files WHERE build = 'first'");
  expect(rows).toHaveLength(2);
  await store("fourth");
  expect(await found(...all)).toEqual(["first", "third", "fourth", "common"]);
});

test("without the database, and beyond 50 that wait, a script is not found", async () => {
  const connect = vi.spyOn(servicePool(), "query").mockRejectedValueOnce(new Error("away"));
  expect(await findStaticFile("static/chunks/first.js")).toBeUndefined();
  connect.mockRestore();
  const many = await Promise.all(Array.from({ length: 60 }, () => findStaticFile("static/chunks/first.js")));
  expect(many.filter(Boolean)).toHaveLength(52);
});

test("only what the database says is reported as an error of the database", async () => {
  const next = join(folder, "unfinished");
  await mkdir(next);
  await writeFile(join(next, "built-from"), "digest");
  const ownerUrl = process.env.DATABASE_OWNER_URL ?? "";
  await expect(storeStaticFiles(ownerUrl, next)).rejects.toMatchObject({ code: "ENOENT" });
  await writeFile(join(next, "BUILD_ID"), "unfinished");
  await expect(storeStaticFiles(ownerUrl, next)).rejects.toMatchObject({ code: "ENOENT" });
  const away = "postgresql://crm@127.0.0.1:1/crm";
  await expect(storeStaticFiles(away, next)).rejects.toThrow("The database could not be prepared");
});
