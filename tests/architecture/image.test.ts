import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

import { build } from "esbuild";
import { expect, test } from "vitest";

import { PROGRAMS } from "@/scripts/compile.mjs";
import { missingPrograms } from "./support/deployment-files";

const IS_SECRET = /SECRET|PASSWORD|TOKEN|_KEY\b|DATABASE\w*_URL/;

/** The instructions of the Dockerfile, each in one line. */
const instructions = readFileSync("Dockerfile", "utf8")
  .replaceAll(/^#.*\n/gm, "")
  .replaceAll(/\\\n\s*/g, " ")
  .split("\n")
  .filter(Boolean)
  .map((line) => ({ name: line.split(" ", 1)[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));

const restsOf = (name: string) => instructions.filter((each) => each.name === name).map(({ rest }) => rest);

const rules = readFileSync(".dockerignore", "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** Whether .dockerignore lets a file into the build: the last rule that names it, or a folder of it, decides. */
function isLetThrough(file: string): boolean {
  const last = rules.findLast((rule) => {
    const path = rule.replace("!", "");
    return path === "*" || file === path || file.startsWith(`${path}/`);
  });
  return last === undefined || last.startsWith("!");
}

/** The files of the repository below paths. */
function filesOf(...paths: string[]): string[] {
  return execFileSync("git", ["ls-files", ...paths], { encoding: "utf8" })
    .trim()
    .split("\n");
}

test("the image's process is no root, on a pinned Node of the version that we use", () => {
  const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: { node: string } };
  const bases = restsOf("FROM").map((rest) => rest.split(" ")[0]);
  expect(bases.length).toBe(2);
  for (const base of bases) expect(base).toBe(`node:${dependencies.node}-bookworm-slim`);
  const user = instructions.findLastIndex(({ name }) => name === "USER");
  // By number, so that Kubernetes can see that it is not root. Its group is the one that OpenShift gives to any user.
  expect(instructions[user]?.rest).toBe("1000:0");
  expect(restsOf("RUN")).toContain("mkdir /data && chown 1000:0 /data && chmod g=u /data");
  expect(user).toBeLessThan(instructions.findIndex(({ name }) => name === "CMD"));
  expect(missingPrograms(JSON.parse(restsOf("CMD")[0] ?? "") as string[])).toEqual([]);
});

test("no secret is in the image: no setting, no argument, no file", () => {
  expect([...restsOf("ENV"), ...restsOf("ARG")].filter((rest) => IS_SECRET.test(rest))).toEqual([]);
  const others = [".env", ".env.local", ".git/config", ".data/app-secret", "out/dist/web.js", "node_modules/pg/x.js"];
  expect(others.filter(isLetThrough)).toEqual([]);
});

test("what the image is built from exists and is let through", () => {
  const copied = restsOf("COPY")
    .filter((rest) => !rest.startsWith("--from"))
    .flatMap((rest) => rest.split(" ").slice(0, -1))
    .filter((source) => source !== ".");
  expect(copied.length).toBeGreaterThan(1);
  const named = rules.map((rule) => rule.replace("!", "")).filter((path) => !/^(?:\*|lib\/generated)$/.test(path));
  expect([...copied, ...named].filter((path) => !existsSync(path))).toEqual([]);
  expect(copied.filter((source) => !isLetThrough(source))).toEqual([]);
});

test("every module of the programs and of the packaging is let through", async () => {
  const { metafile } = await build({
    entryPoints: [...Object.values(PROGRAMS), "scripts/package.ts", "next.config.mjs", "proxy.ts"],
    outdir: "out",
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "error",
  });
  const modules = Object.keys(metafile.inputs).filter((file) => !/^lib\/generated\/|^node_modules\//.test(file));
  expect(modules.length).toBeGreaterThan(300);
  expect(modules.filter((file) => !isLetThrough(file))).toEqual([]);
  expect(filesOf("prisma", "docs/errors").filter((file) => !isLetThrough(file))).toEqual([]);
});

test("what Next finds by its name, without an import, is let through", () => {
  const found = filesOf(":(glob)*.ts", ":(glob)*.mjs", "app", "components");
  expect(found).toContain("instrumentation-client.ts");
  const leftOut = found.filter((file) => !isLetThrough(file));
  expect(leftOut).toEqual([".dependency-cruiser.mjs", "playwright.config.ts", "vitest.config.ts"]);
});
