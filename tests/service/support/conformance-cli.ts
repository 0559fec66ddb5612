import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const CLI = join(import.meta.dirname, "../../../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const ENDS_TIMEOUT_MS = 60_000;

/** One check of the conformance tests. */
interface ConformanceCheck {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

export interface ConformanceResult {
  exitCode: number | null;
  checks: ConformanceCheck[];
  output: string;
}

/**
 * Runs the published command line of the MCP conformance tests for at most a minute. Returns its exit code and checks.
 * `onLine` is called with each line that it prints.
 */
export async function runConformance(
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<ConformanceResult> {
  const folder = await mkdtemp(join(tmpdir(), "crm-conformance-"));
  try {
    const child = spawn(process.execPath, [CLI, ...args, "-o", folder], {
      stdio: ["ignore", "pipe", "pipe"],
      timeout: ENDS_TIMEOUT_MS,
    });
    const lines: string[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => {
        lines.push(line);
        onLine(line);
      });
    }
    const [exitCode] = (await once(child, "close")) as [number | null];
    return { exitCode, checks: await readChecks(folder), output: lines.join("\n") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each scenario writes its checks to a separate folder. */
async function readChecks(folder: string): Promise<ConformanceCheck[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith("checks.json")).toSorted();
  const lists = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8")) as ConformanceCheck[]),
  );
  return lists.flat();
}
