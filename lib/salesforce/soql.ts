const NAME = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z][A-Za-z0-9_]*)*$/;

const ESCAPES: Record<string, string> = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\f": "\\f",
};

/** A SOQL string literal, quotes included (SOQL and SOSL Reference, "Quoted String Escape Sequences"). */
export function soqlString(value: string): string {
  return `'${value.replace(/[\\'"\n\r\t\b\f]/g, (character) => ESCAPES[character] ?? character)}'`;
}

/** A SOQL date-time literal, which stands unquoted. */
export function soqlDateTime(value: Date): string {
  return value.toISOString().replace(/\.\d{3}Z$/, "Z");
}

export interface Select {
  fields: readonly string[];
  from: string;
  /** Joined with AND. Build values with {@link soqlString}. */
  where?: readonly string[];
  groupBy?: readonly string[];
  orderBy?: string;
  limit?: number;
}

/** One SELECT statement. Throws on a name that is no field or object name, so that no user's mapping can widen a query. */
export function select({ fields, from, where = [], groupBy = [], orderBy, limit }: Select): string {
  for (const name of [from, ...groupBy, ...fields.filter((field) => !/^COUNT(?:_DISTINCT)?\(\w*\)(?: \w+)?$/i.test(field))]) {
    if (!NAME.test(name)) throw new RangeError(`${JSON.stringify(name)} is not a field or object name.`);
  }
  return [
    `SELECT ${fields.join(", ")} FROM ${from}`,
    where.length > 0 && `WHERE ${where.join(" AND ")}`,
    groupBy.length > 0 && `GROUP BY ${groupBy.join(", ")}`,
    orderBy && `ORDER BY ${orderBy}`,
    limit !== undefined && `LIMIT ${limit}`,
  ]
    .filter(Boolean)
    .join(" ");
}
