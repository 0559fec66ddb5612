import { Fragment } from "react";

/** A path that breaks behind a slash, where it has to, and not within a word. */
export function PathText({ path }: { path: string }) {
  return path.split("/").map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts can repeat, and never move
    <Fragment key={index}>
      {index > 0 && "/"}
      {index > 1 && <wbr />}
      {part}
    </Fragment>
  ));
}
