import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { type Document, readDocument } from "@/tests/service/api/support/document";

const ROOT = join(import.meta.dirname, "../../..");
/** No check for newer versions, and no telemetry. */
const SILENT = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };

interface Report {
  totals: { errors: number; warnings: number; ignored: number };
  problems: { ruleId: string; severity: string; message: string }[];
}

let document: Document;
let folder: string;

beforeAll(async () => {
  document = await readDocument();
  folder = await mkdtemp(join(tmpdir(), "crm-lint-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Redocly's findings in a document, by the rules of `redocly.yaml`. */
async function lint(linted: object): Promise<Report> {
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(linted));
  const args = [join(ROOT, "node_modules/.bin/redocly"), "lint", file, "--format=json", "--config=redocly.yaml"];
  return new Promise((done, fail) => {
    execFile(
      process.execPath,
      args,
      { cwd: ROOT, env: { ...process.env, ...SILENT }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => {
        if (stdout.startsWith("{")) done(JSON.parse(stdout) as Report);
        else fail(error ?? new Error(`Redocly printed no report: ${stdout}`));
      },
    );
  });
}

test("Redocly finds no fault in the document", async () => {
  const { problems, totals } = await lint(document);
  expect(problems.map(({ ruleId, severity, message }) => `${severity} ${ruleId}: ${message}`)).toEqual([]);
  expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
});

test("Redocly finds the faults in a document that has some", async () => {
  const { "/accounts": accounts, ...paths } = document.paths;
  const { problems } = await lint({
    ...document,
    paths: { ...paths, "/accounts/": { ...accounts, get: { nonsense: 1 } } },
  });
  expect(problems.map(({ ruleId }) => ruleId)).toEqual(
    expect.arrayContaining(["struct", "no-path-trailing-slash", "security-defined"]),
  );
});
