import { Fragment } from "react";

import classes from "@/components/ui/text/breakable.module.css";

/** The positions before single slashes and before the parts of a query; before the @ sign. */
const BEFORE_PARTS = { url: /(?<!\/)(?=\/(?!\/)|[?&])/, email: /(?=@)/ };

type Kind = keyof typeof BEFORE_PARTS;

/** An address that wraps before its parts and not within a word; a URL is in the font of code. */
export function Breakable({ text, kind }: { text: string; kind: Kind }) {
  return (
    <span className={classes[kind]}>
      {partsOf(text, kind).map(({ start, part }) => (
        <Fragment key={start}>
          {start > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

function partsOf(text: string, kind: Kind): { start: number; part: string }[] {
  let start = 0;
  return text.split(BEFORE_PARTS[kind]).map((part) => {
    const at = start;
    start += part.length;
    return { start: at, part };
  });
}
