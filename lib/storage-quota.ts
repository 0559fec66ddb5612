import { formatNumber } from "@/lib/amounts";
import { setStatementTimeout, pool, transaction, withoutCommitTask } from "@/lib/database/db";
import { inOrganization } from "@/lib/database/organization-scope";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { onShutdown } from "@/lib/shutdown";

const quota = () => env.STORAGE_QUOTA_MB * 1024 * 1024;

/** How long a process counts in memory before it writes the count to the database. */
const FLUSH_INTERVAL_MS = 10_000;

/** How long a measurement stands before the next may begin. */
const MEASUREMENT_VALID = "10 minutes";

/** A measurement may read 20 GB from a slow disk. */
const MEASUREMENT_TIMEOUT_MS = 10 * 60_000;

/** A row's header, ids, times and numbers, beside its texts, JSON and bytes. */
const ROW_OVERHEAD_BYTES = 100;

interface Usage {
  /** The bytes in the database when they were last read. */
  bytes: number;
  /** Whether they had just been measured then. */
  isMeasured: boolean;
  /** What this process has stored since then. */
  pending: number;
}

interface State {
  usages: Map<string, Promise<Usage>>;
  measuring: Set<string>;
  /** The last requested measurement. They run one after another, so that they occupy at most one connection. */
  lastMeasurement: Promise<unknown>;
  /** Organizations whose last measurement was above the quota. */
  overQuota: Set<string>;
  timer?: NodeJS.Timeout | undefined;
}

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmStorage?: State };

const state = (holder.crmStorage ??= begin());

function begin(): State {
  onShutdown(async (work) => {
    await work;
    await flushStoredBytes();
  });
  return { usages: new Map(), measuring: new Set(), lastMeasurement: Promise.resolve(), overQuota: new Set() };
}

/**
 * Throws `storage_quota_exceeded` where an organization has stored too much. Its count is checked first; counts are too
 * high rather than too low. Above the quota the organization is measured, and refused only if the measurement is above
 * it too.
 */
export async function assertStorageQuota(organizationId: string): Promise<void> {
  if (quota() === 0) return;
  const { bytes, pending, isMeasured } = await usageOf(organizationId);
  if (bytes + pending <= quota()) return;
  if (!isMeasured) measureSoon(organizationId);
  if (isMeasured || state.overQuota.has(organizationId)) throw quotaExceeded();
}

/**
 * Counts bytes that an organization has stored. The count reaches the database within ten seconds, so that no write
 * waits for another one's count.
 */
export async function countStoredBytes(organizationId: string, bytes: number): Promise<void> {
  if (quota() === 0) return;
  // The write stands even where it could not be counted.
  const usage = await usageOf(organizationId).catch(() => undefined);
  if (usage) usage.pending += bytes;
}

/** What an organization has stored. */
export interface StoredData {
  /** As last measured, and what was counted since then. */
  bytes: number;
  /** Null where there is no limit. */
  quota: number | null;
  measuredAt: Date | null;
  /** Bytes per table, as last measured. */
  tables: Record<string, number> | null;
}

const STORED = `SELECT storage_bytes AS bytes, storage_measured_at AS "measuredAt", storage_tables AS tables
  FROM organizations WHERE id = $1`;

/** What an organization has stored, without what other processes have counted in the last ten seconds. */
export async function storedData(organizationId: string): Promise<StoredData> {
  const { rows } = await pool().query<Omit<StoredData, "bytes" | "quota"> & { bytes: string }>(STORED, [
    organizationId,
  ]);
  const [row] = rows;
  const pending = (await state.usages.get(organizationId))?.pending ?? 0;
  return {
    bytes: Number(row?.bytes ?? 0) + Math.round(pending),
    quota: quota() || null,
    measuredAt: row?.measuredAt ?? null,
    tables: row?.tables ?? null,
  };
}

/** A measurement of this age is good enough for a look at the settings. */
const LOOKED_AT_VALID = "1 hour";

/** Measures an organization soon if its last measurement is old. Nobody waits for it. */
export function measureIfOld(organizationId: string): void {
  const text = `SELECT FROM organizations WHERE id = $1
    AND (storage_tables IS NULL OR storage_measured_at < now() - interval '${LOOKED_AT_VALID}')`;
  inOrganization(organizationId, () => pool().query(text, [organizationId])).then(
    ({ rowCount }) => void (rowCount && measureSoon(organizationId)),
    (error: unknown) => log.warn({ err: error }, "could not look whether a measurement is old"),
  );
}

function quotaExceeded(): AppError {
  const detail =
    `The organization has stored more than its ${formatNumber(env.STORAGE_QUOTA_MB)} MB. Reading and deleting ` +
    "go on. Delete what is not needed: after 30 days it is gone for good and no longer counts. Or ask whoever runs " +
    "this service for more.";
  return new AppError("storage_quota_exceeded", detail);
}

function usageOf(organizationId: string): Promise<Usage> {
  const known = state.usages.get(organizationId);
  if (known) return known;
  const usage = read(organizationId);
  state.usages.set(organizationId, usage);
  usage.catch(() => state.usages.delete(organizationId));
  if (!state.timer) {
    state.timer = setTimeout(() => void flushStoredBytes(), FLUSH_INTERVAL_MS);
    state.timer.unref();
  }
  return usage;
}

const READ = `SELECT storage_bytes AS bytes,
    coalesce(storage_measured_at > now() - interval '${MEASUREMENT_VALID}', false) AS is_measured
  FROM organizations WHERE id = $1`;

async function read(organizationId: string): Promise<Usage> {
  const { rows } = await inOrganization(organizationId, () =>
    pool().query<{ bytes: string; is_measured: boolean }>(READ, [organizationId]),
  );
  return { bytes: Number(rows[0]?.bytes ?? 0), isMeasured: rows[0]?.is_measured ?? false, pending: 0 };
}

const ADD = "UPDATE organizations SET storage_bytes = storage_bytes + $2 WHERE id = $1";

/** Writes this process's counts to the database and clears them. A process that is killed loses ten seconds of them. */
export async function flushStoredBytes(): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  const counted = [...state.usages];
  state.usages.clear();
  for (const [organizationId, promised] of counted) {
    const pending = (await promised.catch(() => undefined))?.pending ?? 0;
    if (pending === 0) continue;
    const values = [organizationId, Math.round(pending)];
    // The timer was set within another organization's request.
    await inOrganization(organizationId, () => pool().query(ADD, values)).catch((error: unknown) =>
      log.warn({ err: error }, "could not count what an organization has stored"),
    );
  }
}

function measureSoon(organizationId: string): void {
  if (state.measuring.has(organizationId)) return;
  state.measuring.add(organizationId);
  state.lastMeasurement = state.lastMeasurement
    // It goes on behind the request.
    .then(() => withoutCommitTask(() => measureStorage(organizationId)))
    // Not even the failure could be saved; the organization's count is above the quota.
    .catch((error: unknown) => {
      log.error({ err: error }, "could not measure what an organization has stored");
      state.overQuota.add(organizationId);
    })
    .finally(() => state.measuring.delete(organizationId));
}

const COLUMNS = `
  SELECT table_name AS table,
    coalesce(array_agg(column_name::text)
      FILTER (WHERE data_type IN ('text', 'jsonb', 'bytea', 'ARRAY')), '{}') AS columns
  FROM information_schema.columns WHERE table_schema = 'public'
  GROUP BY table_name HAVING bool_or(column_name = 'organization_id')`;

/**
 * Measures what an organization has stored, in bytes, and saves it: the values of every table with an organization as
 * PostgreSQL stores them (compressed), including deleted records, events and stored responses, without indexes. It
 * reads every row once, but no long value. Where it fails or takes more than ten minutes, the count is used instead:
 * otherwise an organization that is too large to measure could store without limit.
 */
export function measureStorage(organizationId: string): Promise<void> {
  return inOrganization(organizationId, async () => {
    const measured = await measure(organizationId).catch((error: unknown) => {
      log.error({ err: error }, "could not measure what an organization has stored; its count stands");
      return null;
    });
    return saveMeasurement(organizationId, measured);
  });
}

/** Returns the bytes by table. Measuring writes nothing, so the events feed does not wait for its transaction. */
function measure(organizationId: string): Promise<Record<string, number>> {
  const end = performance.now() + MEASUREMENT_TIMEOUT_MS;
  return transaction(async (client) => {
    const { rows: tables } = await client.query<{ table: string; columns: string[] }>(COLUMNS);
    const bytes: Record<string, number> = {};
    for (const { table, columns } of tables) {
      const size = [
        ROW_OVERHEAD_BYTES,
        ...columns.map((column) => `coalesce(pg_column_size("${column}"), 0)`),
        // The contents of files are not in the database.
        ...(table === "files" ? ["size"] : []),
      ].join(" + ");
      const text = `SELECT coalesce(sum(${size}), 0) AS bytes FROM "${table}" WHERE organization_id = $1`;
      await setStatementTimeout(client, Math.max(1, Math.round(end - performance.now())));
      const { rows } = await client.query<{ bytes: string }>(text, [organizationId]);
      bytes[table] = Number(rows[0]?.bytes ?? 0);
    }
    return bytes;
  });
}

const MEASURED = `
  UPDATE organizations SET storage_bytes = coalesce($2, storage_bytes), storage_measured_at = now(),
    storage_tables = coalesce($3::jsonb, storage_tables)
  WHERE id = $1 RETURNING storage_bytes AS bytes`;

async function saveMeasurement(organizationId: string, measured: Record<string, number> | null): Promise<void> {
  if (measured === null) await flushStoredBytes();
  const total = measured && Object.values(measured).reduce((sum, bytes) => sum + bytes, 0);
  const values = [organizationId, total, measured && JSON.stringify(measured)];
  const { rows } = await pool().query<{ bytes: string }>(MEASURED, values);
  state.usages.delete(organizationId);
  if (Number(rows[0]?.bytes ?? 0) > quota()) state.overQuota.add(organizationId);
  else state.overQuota.delete(organizationId);
}
