import { Fragment } from "react";

/** The positions before single slashes and before the parts of a query; before the @ sign. */
const BEFORE_PARTS = { url: /(?<!\/)(?=\/(?!\/)|[?&])/, email: /(?=@)/ };

/** An address that wraps before its parts and not within a word. */
export function Breakable({ text, kind }: { text: string; kind: keyof typeof BEFORE_PARTS }) {
  let start = 0;
  const parts = text.split(BEFORE_PARTS[kind]).map((part) => {
    const at = start;
    start += part.length;
    return { start: at, part };
  });
  return parts.map(({ start: key, part }) => (
    <Fragment key={key}>
      {key > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
