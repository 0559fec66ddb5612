import { pool } from "@/lib/database/db";
import { AppError } from "@/lib/errors";
import { openStorage } from "@/lib/files/open-storage";
import { FileTooLarge, storeFile } from "@/lib/files/store-file";
import { filesFaults } from "@/lib/migration/configuration/assert-configuration";
import type { RunKey } from "@/lib/migration/migration-schema";
import { isLimitReached } from "@/lib/migration/pipeline/api-budget";
import {
  advance,
  beginCopying,
  behind,
  emptyTally,
  listLeftOut,
  type Position,
  type Tally,
} from "@/lib/migration/pipeline/files/file-progress";
import { assertNoOutage, findFiles, type FoundFile } from "@/lib/migration/pipeline/files/find-files";
import { type FileOwner, listOwners } from "@/lib/migration/pipeline/files/list-owners";
import { searchScopeOf } from "@/lib/migration/pipeline/files/search-scope";
import { isRunning } from "@/lib/migration/pipeline/progress";
import type { RunSession } from "@/lib/migration/pipeline/run-session";
import { stopWaiting } from "@/lib/migration/pipeline/waiting";
import { isContentRefused, isFault, mayBeOfContent, naming } from "@/lib/salesforce/refusals";
import { assertStorageQuota } from "@/lib/storage-quota";

const MEGABYTE = 1024 * 1024;

/** Whether the user wants files. Asked before the source is opened, which a run without files does not need. */
export async function wantsFiles(run: RunKey): Promise<boolean> {
  const { rowCount } = await pool().query(
    `SELECT FROM migrations WHERE organization_id = $1 AND id = $2
       AND configuration #>> '{files,copy}' = 'true'`,
    [run.organizationId, run.migrationId],
  );
  return rowCount === 1;
}

/**
 * Copies the files that a run looks for until `deadline`, from where it left off. Returns false if there is more to do.
 * A file that is here already is not read again, so a repeat costs only the search. Throws `invalid_request` when the
 * service keeps no files any more since the run has begun.
 */
export async function copyFiles(session: RunSession, deadline: number): Promise<boolean> {
  const { run, configuration } = session;
  const [fault] = filesFaults(configuration, "/files/copy");
  if (fault) throw new AppError("invalid_request", fault.detail);
  const among = await searchScopeOf(session);
  let position = await beginCopying(run, among === null);
  while (position) {
    const { owners, last } = await listOwners(run, position, among);
    const { tally, file } = await copyBatch(session, position, owners, deadline);
    const next: Position | null = file === null ? behind(position, last) : { ...position, file };
    if (!(await advance(run, position, next, tally))) return false;
    await stopWaiting(run);
    if (file !== null) return false;
    position = next;
    if (position && performance.now() >= deadline) return false;
  }
  return true;
}

/**
 * Copies the files of some records, in the order of their keys. `file` is the key of the last one if the time is up,
 * the run was stopped or its requests are used up; null if all are done.
 */
async function copyBatch(
  session: RunSession,
  { resource, file: done }: Position,
  owners: readonly FileOwner[],
  deadline: number,
): Promise<{ tally: Tally; file: string | null }> {
  const { run, client, api } = session;
  const tally = emptyTally();
  if (owners.length === 0) return { tally, file: null };
  const found = (await findFiles(client, owners)).map((file) => [`${file.extId}.${file.recordId}`, file] as const);
  // By its key, a file is here once, also where several of what was merged into a record have it.
  const files = new Map(found.filter(([key]) => done === null || key > done));
  const leftOut = await listLeftOut(run, [...files.keys()]);
  const left = [...files]
    .map(([key, file]) => ({ ...file, resource, key }))
    .filter(({ key }) => !leftOut.has(key))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const here = await listHere(run, owners);
  let last = done ?? "";
  for (const file of left) {
    const stored = here.get(`${file.recordId}/${file.extId}`);
    if (stored) countStored(tally, stored);
    else {
      // After one file at least, so that every slice gets further.
      const isTime = performance.now() >= deadline && last !== (done ?? "");
      if (isTime || isLimitReached(api) || !(await isRunning(run))) return { tally, file: last };
      await copyFile(session, file, tally);
    }
    last = file.key;
  }
  return { tally, file: null };
}

/** A file that is here, and whether this very run has imported it: a worker that was killed did not count it. */
interface StoredFile {
  size: number;
  is_of_run: boolean;
}

async function listHere(run: RunKey, owners: readonly FileOwner[]): Promise<Map<string, StoredFile>> {
  const { rows } = await pool().query<StoredFile & { file: string }>(
    `SELECT record_id || '/' || ext_id AS file, size::float8,
       coalesce(migration_id = $2 AND run_number = $3, false) AS is_of_run
     FROM files WHERE organization_id = $1 AND record_id = ANY($4::uuid[])`,
    [run.organizationId, run.migrationId, run.runNumber, owners.map(({ id }) => id)],
  );
  return new Map(rows.map(({ file, ...stored }) => [file, stored]));
}

function countStored(tally: Tally, { size, is_of_run: isOfRun }: StoredFile): void {
  if (!isOfRun) tally.unchanged += 1;
  else {
    tally.stored += 1;
    tally.bytes += size;
  }
}

async function copyFile(
  session: RunSession,
  file: FoundFile & Pick<Position, "resource"> & { key: string },
  tally: Tally,
): Promise<void> {
  const { run, client, configuration } = session;
  const { organizationId } = run;
  const maxBytes = configuration.files.max_mb * MEGABYTE;
  const leaveOut = (outcome: "skipped" | "failed", reason: string) => {
    tally[outcome] += 1;
    tally.left_out.push({ ext_id: file.extId, name: file.name, size: file.size, reason });
    tally.left_out_keys.push(file.key);
  };
  const tooLarge = `It is larger than ${configuration.files.max_mb} MB. Allow larger files, and run again.`;
  if (file.size > maxBytes) return leaveOut("skipped", tooLarge);
  await assertStorageQuota(organizationId);
  let size = null as number | null;
  try {
    await client.request(file.path, {
      headers: { accept: "*/*" },
      into: async (body) => {
        size = await storeFile(organizationId, openStorage(), { ...file, ...run }, body, maxBytes);
      },
    });
    if (size !== null) countStored(tally, { size, is_of_run: true });
  } catch (error) {
    if (error instanceof FileTooLarge) return leaveOut("skipped", tooLarge);
    if (isFault(error)) await assertNoOutage(client, file);
    if (isContentRefused(error)) return leaveOut("failed", error.message);
    // A run that fails here each time tells at which file.
    throw mayBeOfContent(error) ? naming(`File ${file.extId}`, error) : error;
  }
}
