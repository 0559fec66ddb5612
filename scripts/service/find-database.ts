import { attachDatabase, type Database, openDatabase, type OpenedDatabase } from "@/scripts/service/database";
import { Fault } from "@/scripts/service/fault";
import { type Lock, tryLock } from "@/scripts/service/lock";

/**
 * The database of the service that runs on the data folder, which stays running. Without one, locks the folder and
 * opens the database.
 */
export async function findOrOpenDatabase(settings: OpenedDatabase, command: string): Promise<Database> {
  const lock = await tryLock(settings.dataDir, command);
  if ("release" in lock) return openUnder(lock, settings);
  if (settings.forgetsSecrets)
    throw new Fault(
      `${lock.command} (process ${lock.pid}) is running on ${settings.dataDir} with the secrets that are to be ` +
        "forgotten. Stop the service first, then run this again.",
    );
  const database = await attachDatabase(settings);
  if (database) return database;
  throw new Fault(
    `${lock.command} (process ${lock.pid}) is starting or stopping on ${settings.dataDir}. Try again when the ` +
      "service is running, or has stopped.",
  );
}

/** Opens the database under a lock that is already held. Stopping the database releases the lock. */
export async function openUnder(lock: Lock, settings: OpenedDatabase): Promise<Database> {
  await using resources = new AsyncDisposableStack();
  resources.defer(() => lock.release());
  const database = await openDatabase(settings, (line) => console.error(line));
  resources.defer(() => database.stop());
  const owned = resources.move();
  return { ...database, stop: () => owned.disposeAsync() };
}
