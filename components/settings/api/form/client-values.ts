import type { UseFormReturnType } from "@mantine/form";
import { randomId } from "@mantine/hooks";

import { faultsByField } from "@/components/api/problem";
import type { Scope } from "@/components/settings/api/scope-names";

/** One field of the list of redirect URIs. */
interface UriRow {
  key: string;
  uri: string;
}

/** The values of a client's form. Scopes are chosen at the registration only. */
export type ClientValues = {
  name: string;
  redirect_uris: UriRow[];
  scopes: Scope[];
};

export type ClientForm = UseFormReturnType<ClientValues>;

export function newUriRow(uri = ""): UriRow {
  return { key: randomId(), uri };
}

export function urisOf({ redirect_uris }: ClientValues): string[] {
  return redirect_uris.map(({ uri }) => uri.trim());
}

/** The faults of a refusal by the form's field. */
export function faultsOf(error: unknown): Record<string, string> | null {
  return faultsByField(error, ["name", "redirect_uris", "scopes"], fieldAt);
}

/** "/redirect_uris/0" leads to the first row. */
function fieldAt(pointer: string): string {
  const [, field = "", row] = pointer.split("/");
  return field === "redirect_uris" && row ? `${field}.${row}.uri` : field;
}
