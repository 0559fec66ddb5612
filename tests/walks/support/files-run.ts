import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = process.cwd();
const OURS = /^(?:app|components|inngest|lib(?!\/generated))\/.+\.tsx?$/;

/** Runs every second in a worker, whether or not there is a request: it looks at the queue. */
const NO_PART = "inngest/engine/queue/watch-queue.ts";

/**
 * The source text before functions that do not count: those that vitest puts around an export, which run whenever
 * another file reads the name, and those with which a schema checks or changes a value.
 */
const UNCOUNTED = /(?:__vite_ssr_exportName__\("[^"]*",|\.(?:preprocess|refine|superRefine|transform)\()\s*$/;
const UNCOUNTED_LENGTH = 200;

/**
 * The source files in which at least one function ran during `work`, in alphabetical order, with the names of those
 * functions, by V8's count of calls. A file from which only types, constants or schemas are read does not count, nor
 * does what runs while a module loads: `work` must have run once before.
 */
export async function filesRun(work: () => Promise<unknown>): Promise<Map<string, string[]>> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Debugger.enable");
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    await session.post("Profiler.takePreciseCoverage");
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Profiler.stopPreciseCoverage");
    const files = new Map<string, string[]>();
    for (const { url, scriptId, functions } of result) {
      const file = url.startsWith("file:") ? relative(ROOT, fileURLToPath(url)) : "";
      if (!OURS.test(file) || file === NO_PART) continue;
      const { scriptSource } = await session.post("Debugger.getScriptSource", { scriptId });
      const called = functions.filter(({ ranges: [whole] }) => {
        if (!whole || whole.count === 0) return false;
        const { startOffset } = whole;
        return !UNCOUNTED.test(scriptSource.slice(Math.max(0, startOffset - UNCOUNTED_LENGTH), startOffset));
      });
      if (called.length > 0) files.set(file, [...new Set(called.map(({ functionName }) => functionName || "=>"))]);
    }
    return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  } finally {
    session.disconnect();
  }
}
