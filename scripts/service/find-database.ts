import { attachDatabase, type Database, openDatabase } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { type Lock, tryLock } from "@/scripts/service/lock";
import type { ServiceSettings } from "@/scripts/service/settings";

/**
 * The database of the service that is running on the data folder, which is left running; or else one of our own, with
 * the folder locked.
 */
export async function findOrOpenDatabase(settings: ServiceSettings, command: string): Promise<Database> {
  const lock = await tryLock(settings.dataDir, command);
  if ("release" in lock) return openUnder(lock, settings);
  const database = await attachDatabase(settings);
  if (database) return database;
  throw new Fault(
    `${lock.command} (process ${lock.pid}) is starting or stopping on ${settings.dataDir}. Try again when the ` +
      "service runs, or has ended.",
  );
}

/** The database under a lock that is held already; stopping it releases the lock. */
export async function openUnder(lock: Lock, settings: ServiceSettings): Promise<Database> {
  await using held = new AsyncDisposableStack();
  held.defer(() => lock.release());
  const database = await openDatabase(settings, (line) => console.error(line));
  held.defer(() => database.stop());
  const kept = held.move();
  return { ...database, stop: () => kept.disposeAsync() };
}
