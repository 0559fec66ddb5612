import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

import { z } from "zod";

import { compressedName } from "@/scripts/service/web/static-files";

/** The most kB (1,000 bytes) of a page's scripts, as browsers get them: compressed by Brotli (`static-files.ts`). */
export const MAX_PAGE_KB = 250;

/** The JavaScript that one page loads before it can be used, compressed. */
export interface PageWeight {
  /** "/migration/[id]/report" */
  page: string;
  kilobytes: number;
}

/** Next's own lists of what a page loads. They are no public interface, so a missing part is an error here. */
const buildManifest = z.object({ rootMainFiles: z.array(z.string()).min(1) });

const clientManifest = z.object({ entryJSFiles: z.record(z.string(), z.array(z.string())) });

const MANIFEST = "page_client-reference-manifest.js";

/**
 * The weight of each page of the build in `folder` (`.next`), the heaviest first: the files of Next itself, and those
 * of the page with its layouts and error pages. What a page loads later, when somebody needs it, does not count.
 */
export async function weighPages(folder: string): Promise<PageWeight[]> {
  const framework = await frameworkScripts(folder);
  const app = join(folder, "server", "app");
  const files = (await readdir(app, { recursive: true })).filter((file) => file.endsWith(MANIFEST));
  const weights: PageWeight[] = [];
  for (const file of files) {
    const scripts = [...framework, ...(await scriptsOf(join(app, file)))];
    weights.push({ page: pathOf(file), kilobytes: await weigh(folder, scripts) });
  }
  return weights.toSorted((one, other) => other.kilobytes - one.kilobytes || one.page.localeCompare(other.page));
}

/** The weight of Next itself, which every page loads. */
export async function weighFramework(folder: string): Promise<number> {
  return weigh(folder, await frameworkScripts(folder));
}

async function frameworkScripts(folder: string): Promise<string[]> {
  const manifest = await readFile(join(folder, "build-manifest.json"), "utf8");
  return buildManifest.parse(JSON.parse(manifest)).rootMainFiles;
}

/** The weight in kB, each script once. */
async function weigh(folder: string, scripts: readonly string[]): Promise<number> {
  const sizes = [...new Set(scripts)].map(async (script) => (await stat(compressedName(join(folder, script)))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1000;
}

/** The manifest is a script that sets a property of the global object, by the name of the page. */
async function scriptsOf(file: string): Promise<string[]> {
  const scope: { __RSC_MANIFEST?: Record<string, unknown> } = {};
  runInNewContext(await readFile(file, "utf8"), { globalThis: scope });
  const manifests = Object.values(scope.__RSC_MANIFEST ?? {}).map((each) => clientManifest.parse(each));
  return manifests.flatMap(({ entryJSFiles }) => Object.values(entryJSFiles).flat());
}

/** "(console)/settings/page_client-…" → "/settings". */
function pathOf(file: string): string {
  const segments = file.split("/").slice(0, -1);
  return `/${segments.filter((segment) => !/^\(.+\)$/.test(segment)).join("/")}`;
}

/** A line per page. */
export function weightTable(weights: readonly PageWeight[]): string {
  const rows = weights.map(
    ({ page, kilobytes }) =>
      `${kilobytes.toFixed(1).padStart(7)} kB  ${page}${kilobytes > MAX_PAGE_KB ? "  too much" : ""}`,
  );
  return [`JavaScript per page, compressed; at most ${MAX_PAGE_KB} kB:`, ...rows].join("\n");
}

/** Throws if a page loads more than {@link MAX_PAGE_KB}. */
export function assertLightPages(weights: readonly PageWeight[]): void {
  const heavy = weights.filter(({ kilobytes }) => kilobytes > MAX_PAGE_KB);
  if (heavy.length === 0) return;
  const pages = heavy.map(({ page, kilobytes }) => `${page} (${kilobytes.toFixed(1)} kB)`).join(", ");
  throw new Error(`These pages load more than ${MAX_PAGE_KB} kB of JavaScript: ${pages}.`);
}
