import classes from "@/components/settings/api/plain-list.module.css";
import { Breakable } from "@/components/ui/text/breakable";
import { ShortList } from "@/components/ui/text/short-list";

/** Redirect URIs below one another; at most two of them with `inShort`, as in a row of a table. */
export function UriList({ uris, inShort = false }: { uris: readonly string[]; inShort?: boolean }) {
  return (
    <ShortList items={uris} max={inShort ? 2 : undefined} className={classes.list}>
      {(uri) => <Breakable text={uri} kind="url" />}
    </ShortList>
  );
}
