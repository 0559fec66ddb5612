import { expect, test } from "vitest";

import { filesFound } from "@/components/migration/files-found";

test("the files of an org are told with their size, if Salesforce told it", () => {
  const files = { count: 412, bytes: 96_220_114, measured: "counted" as const, seconds: 58, api_calls: 456 };
  expect(filesFound(files)).toBe("412 files, 96.2 MB");
  expect(filesFound({ ...files, bytes: null })).toBe("412 files");
});
