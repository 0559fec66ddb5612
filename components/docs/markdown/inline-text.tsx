import { Code } from "@mantine/core";

import { parseInline } from "@/components/docs/markdown/parse-markdown";

/** A sentence in which backticks mark code. */
export function InlineText({ text }: { text: string }) {
  return parseInline(text).map(({ code, text: part }, position) =>
    // Parts of a fixed sentence never move.
    // oxlint-disable-next-line react/no-array-index-key
    code ? <Code key={position}>{part}</Code> : part,
  );
}
