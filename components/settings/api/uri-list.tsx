import { Text } from "@mantine/core";

import { Breakable } from "@/components/ui/text/breakable";
import classes from "@/components/settings/api/uri-list.module.css";

/** What a row of a table shows of a client that has many. */
const SHOWN = 2;
/** Single slashes, and the parts of a query. */
const BEFORE_PARTS = /(?<!\/)(?=\/(?!\/)|[?&])/;

/** Redirect URIs below one another; in short the first of them, and how many more there are. */
export function UriList({ uris, inShort = false }: { uris: readonly string[]; inShort?: boolean }) {
  const shown = inShort ? uris.slice(0, SHOWN) : uris;
  const more = uris.length - shown.length;
  return (
    <ul className={classes.list}>
      {shown.map((uri) => (
        <li key={uri}>
          <code className={classes.uri}>
            <Breakable text={uri} at={BEFORE_PARTS} />
          </code>
        </li>
      ))}
      {more > 0 && (
        <Text component="li" size="xs" c="dimmed">
          and {more} more
        </Text>
      )}
    </ul>
  );
}
