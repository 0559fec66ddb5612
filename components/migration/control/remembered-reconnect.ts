const KEY = "crm-reconnect";

/** Remembers, in this tab, which migration a sign-in at Salesforce is for. */
export function rememberReconnect(migrationId: string): void {
  sessionStorage.setItem(KEY, migrationId);
}

/** The migration that the sign-in was for, once; null if it was for a new one. */
export function takeReconnect(): string | null {
  const id = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return id;
}
