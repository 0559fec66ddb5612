import { useSyncExternalStore } from "react";

const KEY = "crm-reconnect";

const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/**
 * Remembers, in this tab, which migration a sign-in at Salesforce is for. A refused sign-in can be repeated, so it is
 * remembered until the migration is connected or the user gives that up.
 */
export function rememberReconnect(migrationId: string): void {
  sessionStorage.setItem(KEY, migrationId);
  changed();
}

/** The next sign-in is for a new migration. */
export function forgetReconnect(): void {
  sessionStorage.removeItem(KEY);
  changed();
}

/** The migration that a sign-in is for; null if it is for a new one. */
export function rememberedReconnect(): string | null {
  return sessionStorage.getItem(KEY);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** {@link rememberedReconnect}, and every change of it. The server knows of none. */
export function useRememberedReconnect(): string | null {
  return useSyncExternalStore(subscribe, rememberedReconnect, () => null);
}
