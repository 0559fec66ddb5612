import { join } from "node:path";

import { buildIfNeeded } from "@/scripts/service/build/build-if-needed";
import { MAX_PAGE_KB, weighFramework, weighPages } from "@/scripts/service/build/page-weights";
import { ROOT } from "@/scripts/service/root";
import { stopRequest } from "@/scripts/service/stop-request";
import { compare, type Measurement } from "@/tests/benchmarks/measurement";

function inKilobytes(name: string, value: number) {
  return { name, value: Number(value.toFixed(1)), unit: "kB" };
}

/** The JavaScript of each page of the build, compressed, beside what Next itself takes of it: that of an empty page. */
export async function run(): Promise<Measurement[]> {
  await buildIfNeeded((line) => console.error(line), stopRequest());
  const folder = join(ROOT, ".next");
  const floor = await weighFramework(folder);
  const pages = await weighPages(folder);
  const [heaviest] = pages;
  if (!heaviest) throw new Error("The build has no pages.");
  return [
    inKilobytes("floor: Next itself", floor),
    ...pages.map(({ page, kilobytes }) => inKilobytes(page, kilobytes)),
    { ...inKilobytes("heaviest page", heaviest.kilobytes), limit: { atMost: MAX_PAGE_KB } },
    compare({
      what: "weight of the heaviest page",
      against: "Next itself",
      floor,
      ours: heaviest.kilobytes,
      unit: "kB",
    }),
  ];
}
