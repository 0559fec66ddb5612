/** The forms of Markdown that our own texts use: headings, paragraphs, lists and fenced code. */
export type Block =
  | { kind: "heading"; level: 1 | 2; text: string }
  | { kind: "paragraph"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "code"; language: string; text: string };

const FENCE = /^```(\w*)\n([\s\S]*?)\n```$/;

/** Parses a text whose blocks are separated by blank lines. */
export function parseMarkdown(source: string): Block[] {
  return splitBlocks(source).map((block): Block => {
    const fence = FENCE.exec(block);
    if (fence) return { kind: "code", language: fence[1] ?? "", text: fence[2] ?? "" };
    if (block.startsWith("# ")) return { kind: "heading", level: 1, text: block.slice(2) };
    if (block.startsWith("## ")) return { kind: "heading", level: 2, text: block.slice(3) };
    if (block.startsWith("- ")) return { kind: "list", items: block.slice(2).split(/\n- /).map(joinLines) };
    return { kind: "paragraph", text: joinLines(block) };
  });
}

/** Keeps fenced code together, since it may have blank lines. */
function splitBlocks(source: string): string[] {
  const blocks = source.match(/^```[\s\S]*?^```$|^(?:(?!```).+\n?)+/gm) ?? [];
  return blocks.map((block) => block.trim());
}

function joinLines(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/** The parts of a line; text between backticks is code. */
export function parseInline(text: string): { code: boolean; text: string }[] {
  return text
    .split("`")
    .map((part, position) => ({ code: position % 2 === 1, text: part }))
    .filter((part) => part.text !== "");
}
