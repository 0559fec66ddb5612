import { join } from "node:path";

import { env } from "@/lib/env";
import type { FileStorage } from "@/lib/files/file-storage";
import { folderStorage } from "@/lib/files/folder-storage";
import { s3Storage } from "@/lib/files/s3-storage";

/** The storage of this service: S3-compatible if the settings name one, else a folder. */
export function openStorage(): FileStorage {
  const { FILES_S3_URL: url, FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (!url || !accessKeyId || !secretAccessKey) return folderStorage(join(env.DATA_DIR, "files"));
  return s3Storage({ url, accessKeyId, secretAccessKey, region: env.FILES_S3_REGION }, env.DATA_DIR);
}
