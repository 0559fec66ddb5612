import { useSyncExternalStore } from "react";

const KEY = "crm-reconnect";

const listeners = new Set<() => void>();

function changed(): void {
  for (const listener of listeners) listener();
}

/** A migration that a sign-in at Salesforce is for, and the page of it to return to. */
interface Reconnect {
  migrationId: string;
  path: string;
}

/** The address of a page of a migration, with the place on it. No other is returned to. */
const PATH = /^\/migration\/([\da-f-]{36})\/[a-z]+(\?.*)?$/;

/**
 * Remembers, in this tab, for which page of a migration a sign-in at Salesforce is. A refused sign-in can be repeated,
 * so it is remembered until the migration is connected or the user gives that up.
 */
export function rememberReconnect(path: string): void {
  sessionStorage.setItem(KEY, path);
  changed();
}

/** The next sign-in is for a new migration. */
export function forgetReconnect(): void {
  sessionStorage.removeItem(KEY);
  changed();
}

/** The migration that a sign-in is for; null if it is for a new one. */
export function rememberedReconnect(): Reconnect | null {
  return parse(stored());
}

function stored(): string | null {
  return sessionStorage.getItem(KEY);
}

function parse(remembered: string | null): Reconnect | null {
  // A tab of the release before has remembered the migration alone.
  const path = /^[\da-f-]{36}$/.test(remembered ?? "") ? `/migration/${remembered}/migrate` : remembered;
  const [, migrationId] = PATH.exec(path ?? "") ?? [];
  return path === null || migrationId === undefined ? null : { migrationId, path };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** {@link rememberedReconnect}, and every change of it. The server knows of none. */
export function useRememberedReconnect(): Reconnect | null {
  return parse(useSyncExternalStore(subscribe, stored, () => null));
}
