import { existsSync } from "node:fs";
import { join } from "node:path";

import { env } from "@/lib/env";
import { type FileStorage, StorageError } from "@/lib/files/file-storage";
import { folderStorage } from "@/lib/files/folder-storage";
import { s3Storage } from "@/lib/files/s3-storage";

const write = () => Promise.reject(new StorageError("This service keeps no files (FILES_STORAGE).", false));

/** For a service that keeps no files. Rows of files from before name contents that are gone, and can be deleted. */
const NO_STORAGE: FileStorage = {
  write,
  read: () => Promise.resolve(null),
  remove: () => Promise.resolve(),
  removeAll: () => Promise.resolve(true),
  removeUnfinished: () => Promise.resolve(0),
};

/**
 * The storage of this service: S3-compatible if the settings name one, else a folder. A service that keeps no files can
 * still have the folder from before: its contents are read and deleted.
 */
export function openStorage(): FileStorage {
  const folder = join(env.DATA_DIR, "files");
  if (env.FILES_STORAGE === "none") return existsSync(folder) ? { ...folderStorage(folder), write } : NO_STORAGE;
  const { FILES_S3_URL: url, FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!url || !accessKeyId || !secretAccessKey) return folderStorage(folder);
  return s3Storage({ url, accessKeyId, secretAccessKey, region: env.FILES_S3_REGION }, env.DATA_DIR);
}
