import { describe, expect, it } from "vitest";

import { type CopiedFiles, filesDone, filesInWords } from "@/components/migration/migrate/file-words";

function copied(counts: Partial<CopiedFiles>): CopiedFiles {
  const none = { stored: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 };
  return { ...none, seconds: 1, finished: true, left_out: [], ...counts };
}

describe("the files of a run in words", () => {
  it("name every outcome that occurred, and the bytes of those copied", () => {
    const files = copied({ stored: 1200, unchanged: 3, skipped: 2, failed: 1, bytes: 4_200_000 });
    expect(filesInWords(files)).toBe("1,200 files copied (4.2 MB), 3 here already, 2 too large, 1 failed");
    expect(filesDone(files)).toBe(1206);
  });

  it("say so if none had to be copied", () => {
    expect(filesInWords(copied({ unchanged: 3 }))).toBe("No file copied, 3 here already");
    expect(filesInWords(copied({}))).toBe("No new files found");
    expect(filesInWords(copied({ finished: false }))).toBe("Looking for files");
  });
});
