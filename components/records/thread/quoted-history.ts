/** What mail programs write above an earlier message that they quote whole. */
const ABOVE = [
  /^-{2,} ?(original message|forwarded message|ursprüngliche nachricht) ?-{2,}$/i,
  /^_{20,}$/,
  /^(on|am|le) .{6,200}(wrote|schrieb.*|a écrit) ?:$/i,
];

interface Parts {
  own: string;
  /** The earlier messages, to the end of the text; empty where nothing is quoted. */
  quoted: string;
}

/**
 * Parts an e-mail's text from the history at its end: from a line such as "On Monday, Ann wrote:", or the lines
 * beginning with ">". A quotation that is answered below stays where it is, and so does a text that is nothing but a
 * quotation.
 */
export function splitQuoted(text: string): Parts {
  const lines = text.split(/\r?\n/);
  const start = startOfHistory(lines);
  const own = lines.slice(0, start).join("\n").trimEnd();
  return own ? { own, quoted: lines.slice(start).join("\n").trim() } : { own: text, quoted: "" };
}

function startOfHistory(lines: readonly string[]): number {
  const above = lines.findIndex((line, at) => isAbove(line) || isAbove(`${line} ${lines[at + 1] ?? ""}`));
  if (above !== -1 && isHistory(lines.slice(above))) return above;
  const answer = lines.findLastIndex((line) => line.trim() !== "" && !line.startsWith(">"));
  return answer + 1;
}

/** "On Monday, Ann" may stand on one line and "wrote:" on the next. */
function isAbove(line: string): boolean {
  return ABOVE.some((pattern) => pattern.test(line.trim()));
}

/** Where the lines below are quoted one by one, an answer beneath them is no history. */
function isHistory([, ...below]: readonly string[]): boolean {
  const written = below.filter((line) => line.trim() !== "");
  return !written.some((line) => line.startsWith(">")) || (written.at(-1) ?? "").startsWith(">");
}
