import type { FieldType, Json } from "../schema/field";

export const DELIMITERS = { COMMA: ",", TAB: "\t", PIPE: "|", SEMICOLON: ";", CARET: "^", BACKQUOTE: "`" } as const;
export const LINE_ENDINGS = { LF: "\n", CRLF: "\r\n" } as const;

export type Delimiter = keyof typeof DELIMITERS;
export type LineEnding = keyof typeof LINE_ENDINGS;

export interface Column {
  readonly header: string;
  readonly type: FieldType;
  readonly read: (ordinal: number) => Json;
}

/** Every cell is quoted. Null is the empty string. Datetimes end in Z, unlike in REST. */
function cell(type: FieldType, value: Json): string {
  if (value === null) return '""';
  if (typeof value !== "string") return `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  if (type === "datetime") return `"${value.replace("+0000", "Z")}"`;
  return `"${value.includes('"') ? value.replaceAll('"', '""') : value}"`;
}

export function csvHeader(columns: readonly Column[], delimiter: string): string {
  return columns.map(({ header }) => `"${header}"`).join(delimiter);
}

export function csvRow(columns: readonly Column[], delimiter: string, ordinal: number): string {
  let line = "";
  for (const [i, { type, read }] of columns.entries()) line += (i === 0 ? "" : delimiter) + cell(type, read(ordinal));
  return line;
}
