import type { UseFormReturnType } from "@mantine/form";
import { randomId } from "@mantine/hooks";

import { Problem } from "@/components/api/problem";
import type { Scope } from "@/components/settings/api/scope-names";

/** One field of the list of redirect URIs. */
interface UriRow {
  key: string;
  uri: string;
}

/** What a client's form holds. Scopes are asked for at the registration only. */
export interface ClientValues {
  name: string;
  redirect_uris: UriRow[];
  scopes: Scope[];
}

export type ClientForm = UseFormReturnType<ClientValues>;

export function uriRow(uri = ""): UriRow {
  return { key: randomId(), uri };
}

export function urisOf({ redirect_uris }: ClientValues): string[] {
  return redirect_uris.map(({ uri }) => uri.trim());
}

/**
 * The faults that the API found, by the form's field that each one's JSON pointer leads to: `/redirect_uris/0` to the
 * first row. Null when one of them leads to no field, so that nothing of the refusal goes unsaid.
 */
export function faultsByField(error: unknown): Record<string, string> | null {
  if (!(error instanceof Problem) || error.errors.length === 0) return null;
  const faults = error.errors.map(({ pointer, detail }) => [fieldAt(pointer), detail] as const);
  return faults.every(([field]) => field) ? Object.fromEntries(faults) : null;
}

function fieldAt(pointer: string): string {
  const [, row] = /^\/redirect_uris\/(\d+)$/.exec(pointer) ?? [];
  if (row) return `redirect_uris.${row}.uri`;
  return ["/name", "/redirect_uris", "/scopes"].includes(pointer) ? pointer.slice(1) : "";
}
