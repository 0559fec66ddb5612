/** Lines that mail programs write above an earlier message which they quote as a whole. */
const ABOVE = [
  /^-{2,} ?(original message|forwarded message|ursprüngliche nachricht) ?-{2,}$/i,
  /^_{20,}$/,
  /^(on|am|le) .{6,200}(wrote|schrieb.*|a écrit) ?:$/i,
];

interface Parts {
  own: string;
  /** The earlier messages, to the end of the text; empty if none is quoted. */
  quoted: string;
}

/**
 * Splits the quoted history off the end of an e-mail's text. It starts at a line such as "On Monday, Ann wrote:" or at
 * the last block of lines beginning with ">". A quotation with an answer below it stays, and so does a text that is
 * only a quotation.
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

/** If the lines below are marked with ">", the last of them must be, too: otherwise there is an answer below. */
function isHistory([, ...below]: readonly string[]): boolean {
  const written = below.filter((line) => line.trim() !== "");
  return !written.some((line) => line.startsWith(">")) || (written.at(-1) ?? "").startsWith(">");
}
