import { Fragment } from "react";

/**
 * An address that breaks, where it must, before its parts rather than within a word: `at` matches the empty places
 * between parts.
 */
export function Breakable({ text, at }: { text: string; at: RegExp }) {
  const parts: { start: number; part: string }[] = [];
  for (const part of text.split(at))
    parts.push({ start: (parts.at(-1)?.start ?? 0) + (parts.at(-1)?.part.length ?? 0), part });
  return parts.map(({ start, part }) => (
    <Fragment key={start}>
      {start > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
