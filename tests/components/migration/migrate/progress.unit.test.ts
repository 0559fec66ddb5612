import { describe, expect, it } from "vitest";

import {
  accountInWords,
  changesInWords,
  differenceOf,
  doneOf,
  paceInWords,
  readInRun,
  resultInWords,
  speedInWords,
  totalInWords,
  totalOf,
  toRead,
  totalProgress,
} from "@/components/migration/migrate/progress/progress";
import type { Migration, ObjectProgress } from "@/lib/migration/migration-schema";

function line(counts: Partial<ObjectProgress>): ObjectProgress {
  const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, failed: 0, deleted: 0 };
  return {
    object: "Account",
    resource: "accounts",
    status: "running",
    expected: null,
    source: null,
    api: null,
    api_reason: null,
    reconciled: false,
    choices_changed: false,
    read_in_run: null,
    ...none,
    ...counts,
  };
}

function percentOf(...objects: ObjectProgress[]): number {
  return totalProgress({ objects }).percent;
}

describe("the progress of a run", () => {
  it("counts a record as done whatever its outcome", () => {
    expect(doneOf(line({ created: 1, updated: 2, unchanged: 3, skipped: 4, failed: 5 }))).toBe(15);
  });

  it("prefers the count after reading to the one before, and the records done to both", () => {
    expect(totalOf(line({ expected: 10 }))).toBe(10);
    expect(totalOf(line({ expected: 10, source: 12 }))).toBe(12);
    expect(totalOf(line({ expected: 10, created: 14 }))).toBe(14);
  });

  it("shows 100 percent only when all records are done", () => {
    expect(percentOf(line({ expected: 1000, created: 999 }))).toBe(99);
    expect(percentOf(line({ expected: 1000, created: 1000 }), line({ expected: 1 }))).toBe(99);
    expect(percentOf(line({ expected: 1000, created: 1000 }))).toBe(100);
    expect(percentOf()).toBe(0);
  });

  it("gives the difference of a sum once the source was counted", () => {
    expect(differenceOf(line({ created: 5 }))).toBeNull();
    expect(differenceOf(line({ source: 7, created: 5 }))).toBe(2);
    expect(differenceOf(line({ source: 4, created: 5 }))).toBe(-1);
  });
});

const result = (run: Partial<Migration>) =>
  resultInWords({ run_number: 1, run_kind: "full", reconciled: true, ...run } as Migration);

describe("the result of a run", () => {
  it("counts as imported what was created, updated or found unchanged", () => {
    const objects = [line({ created: 1000, unchanged: 20, skipped: 3 }), line({ updated: 2, failed: 4 })];
    expect(result({ objects })).toBe("1,022 of 1,029 records were imported");
    expect(result({ objects: [line({ created: 1 })] })).toBe("1 of 1 record was imported");
  });

  it("of a delta counts what has changed, which says nothing of what was imported", () => {
    const delta = { run_number: 3, run_kind: "delta" } as const;
    expect(result({ ...delta, objects: [line({ created: 1, deleted: 1, unchanged: 9 })] })).toBe(
      "2 changes were migrated",
    );
    expect(result({ ...delta, objects: [line({ unchanged: 9 })] })).toBe("Nothing had changed");
  });

  it("of a delta does not say that nothing had changed of records that it may have skipped itself", () => {
    const delta = { run_number: 3, run_kind: "delta" } as const;
    const skipped = line({ skipped: 9 });
    expect(result({ ...delta, objects: [{ ...skipped, read_in_run: read(3, 3) }] })).toBe("No change was migrated");
    expect(result({ ...delta, objects: [{ ...skipped, read_in_run: read(0, 0) }] })).toBe("Nothing had changed");
  });

  it("that found every record as it is in Salesforce calls none of them imported", () => {
    const objects = [line({ unchanged: 886, skipped: 114 })];
    expect(result({ objects })).toBe("886 of 1,000 records were unchanged");
    expect(account({ objects })).toBe("All 1,000 records are accounted for: 886 unchanged, 114 skipped on purpose");
    expect(result({ objects, run_kind: "retry" })).toBe("886 of 1,000 records were imported");
  });

  it("of a delta can say where and since when the changes were made, if it reached its end", () => {
    const since = "in Salesforce since the run before";
    const objects = [line({ created: 1, deleted: 1 })];
    expect(changesInWords({ objects, reconciled: true }, since)).toBe(`2 changes made ${since} were migrated`);
    expect(changesInWords({ objects: [line({})], reconciled: true }, since)).toBe(`Nothing had changed ${since}`);
    expect(changesInWords({ objects, reconciled: false }, since)).toBe("2 changes were migrated");
  });

  it("that was cancelled says how far it got, of all records: others are here from the runs before", () => {
    const stopped = { reconciled: false, run_number: 2 };
    const begun = [line({ expected: 2000, unchanged: 1590 }), line({ expected: 1000 })];
    expect(result({ ...stopped, objects: begun })).toBe("1,590 of 3,000 records were read");
    expect(result({ ...stopped, objects: [line({ created: 7 }), line({})] })).toBe("7 records were read");
    expect(result({ ...stopped, objects: [line({}), line({})] })).toBe("No record was read");
    expect(result({ ...stopped, run_kind: "delta", objects: [line({})] })).toBe("No change was migrated");
  });

  it("that an undo has outdated says when it was so", () => {
    const objects = [line({ source: 10, unchanged: 8, skipped: 2 })];
    expect(result({ reconciled: false, outdated_by_undo: true, objects })).toBe(
      "8 of 10 records were imported before an undo",
    );
  });

  it("is nothing before the first run", () => {
    expect(result({ run_number: 0, objects: [] })).toBeNull();
  });
});

const account = (run: Partial<Migration>) =>
  accountInWords({ run_number: 1, run_kind: "full", reconciled: true, ...run } as Migration);

describe("the result of a run where no reasons follow it", () => {
  it("accounts for every record of a run that reconciles, so that none seems lost", () => {
    const objects = [line({ created: 1700, skipped: 240 }), line({ updated: 50, unchanged: 5, skipped: 5 })];
    expect(account({ objects })).toBe("All 2,000 records are accounted for: 1,755 imported, 245 skipped on purpose");
    expect(account({ objects: [line({ created: 7, failed: 2 })] })).toBe(
      "All 9 records are accounted for: 7 imported, 2 failed",
    );
    expect(account({ objects: [line({ created: 1 })] })).toBe("The only record is accounted for: 1 imported");
    expect(account({ objects: [line({})] })).toBe("0 of 0 records were imported");
  });

  it("names the records that were left out of another run, and does not say that it accounts for all", () => {
    const objects = [line({ source: 11, unchanged: 7, skipped: 1, failed: 2 })];
    const words = "7 of 10 records were imported; 1 was skipped on purpose; 2 failed";
    expect(account({ reconciled: false, run_kind: "retry", objects })).toBe(words);
  });

  it("of a delta counts what has changed alone", () => {
    const objects = [line({ created: 1, skipped: 9 })];
    expect(account({ run_kind: "delta", objects })).toBe("1 change was migrated");
  });
});

const analyzed = (object: string) => (object === "Account" ? 300 : null);

describe("the number of records that a full run has to read", () => {
  it("is about that of the analysis until the run has counted them itself", () => {
    const found = toRead([line({}), line({ expected: 165 })], analyzed);
    expect(totalInWords(found)).toBe("of about 465");
    expect(totalInWords(toRead([line({ expected: 465, created: 465 })], analyzed))).toBe("of 465");
  });

  it("is not known where neither has counted", () => {
    expect(totalInWords(toRead([line({ object: "Case" })], analyzed))).toBe("of ?");
  });
});

const read = (done: number, total: number) => ({ done, total });

describe("the progress of a delta or a retry", () => {
  it("is what it has read of what it has to read, over all objects", () => {
    expect(readInRun([line({ read_in_run: read(2, 5) }), line({ read_in_run: read(0, 3) })])).toEqual(read(2, 8));
  });

  it("is not known before every object is counted that it still has to read", () => {
    expect(readInRun([line({ read_in_run: read(2, 5) }), line({ status: "pending" })])).toBeNull();
    expect(readInRun([line({ status: "done" }), line({ read_in_run: read(1, 2) })])).toEqual(read(1, 2));
  });

  it("ends at its total, even if fewer records were found than were counted", () => {
    expect(readInRun([line({ status: "done", read_in_run: read(4, 5) })])).toEqual(read(4, 4));
  });

  it("is told as a speed, with the time left where the total is known", () => {
    expect(paceInWords(null, 10)).toBe("");
    expect(paceInWords(12.4, 744)).toBe("12 per second, 1 minute left");
    expect(paceInWords(12.4, null)).toBe("12 per second");
    expect(paceInWords(0.42, 0)).toBe("0.5 per second");
  });

  it("is never 0 per second while it moves", () => {
    expect(speedInWords(0.04)).toBe("0.1 per second");
  });
});
