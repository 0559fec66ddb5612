import { expect, test } from "vitest";

import { readSettings } from "@/tests/support/read-settings";

const COMPLETE = {
  FILES_S3_URL: "https://bucket.s3.eu-central-1.amazonaws.com",
  FILES_S3_ACCESS_KEY_ID: "key",
  FILES_S3_SECRET_ACCESS_KEY: "s3cret-value",
};

const read = (settings: Record<string, string>) => readSettings({ ALLOW_PRIVATE_NETWORK: "false", ...settings });

test("without a region it is the one that most storages take", async () => {
  expect(await read(COMPLETE)).toMatchObject({ ...COMPLETE, FILES_S3_REGION: "us-east-1" });
});

test.each(Object.keys(COMPLETE))("without %s alone the service says so, and repeats no secret", async (missing) => {
  const fault = await read({ ...COMPLETE, [missing]: "" }).catch((error: unknown) => String(error));
  expect(fault).toContain(`${missing}: is not set. A storage of files needs all of`);
  expect(fault).not.toContain("s3cret-value");
});

test("a service keeps files in a bucket or keeps none, not both", async () => {
  expect((await read({ FILES_STORAGE: "none" })).FILES_STORAGE).toBe("none");
  await expect(read({ FILES_STORAGE: "folder" })).rejects.toThrow("FILES_STORAGE: must be none, or unset.");
  const fault = await read({ ...COMPLETE, FILES_STORAGE: "none" }).catch((error: unknown) => String(error));
  expect(fault).toContain("FILES_STORAGE: must be unset with a bucket");
  expect(fault).not.toContain("s3cret-value");
});

test.each(["http://minio.example.com/bucket", "bucket", "https://key:secret@example.com/b", "https://example.com/b?x"])(
  "%s is no address of a storage",
  async (url) => {
    await expect(read({ ...COMPLETE, FILES_S3_URL: url })).rejects.toThrow("FILES_S3_URL: must");
  },
);
