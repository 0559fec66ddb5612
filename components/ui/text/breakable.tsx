import { Fragment } from "react";

/** The empty places before the parts of an address: single slashes and the parts of a query; the @ sign. */
const BEFORE_PARTS = { url: /(?<!\/)(?=\/(?!\/)|[?&])/, email: /(?=@)/ };

/** An address that breaks before its parts, where it must, and not within a word. */
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
