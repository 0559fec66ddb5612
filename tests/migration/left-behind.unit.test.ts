import { expect, test } from "vitest";

import { formatBytes, formatEstimate } from "@/components/ui/text/format";
import type { ReportFacts } from "@/lib/migration/report/facts";
import { files } from "@/lib/migration/report/risks/left-behind";

test("the risk about files tells their size and time as the timeline does", async () => {
  const found = { count: 12, bytes: 1_940_000, seconds: 20, measured: "counted" };
  const facts = { estimate: { files: found }, survey: { objects: [] } } as unknown as ReportFacts;
  const [risk] = await files(facts);
  const detail = risk?.detail;
  expect(detail).toContain(`12 attachments and files, ${formatBytes(found.bytes)}. `);
  expect(detail).toContain(`Copying each once would take ${formatEstimate(found.seconds)} after`);
  expect(detail).toContain("1.94 MB");
});
