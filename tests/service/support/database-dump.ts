import { Client } from "pg";

/** A stored value as text. */
interface Cell {
  /** Schema, table and column. */
  where: string;
  text: string;
}

export interface Dump {
  tables: string[];
  cells: Cell[];
}

const COLUMNS = `
  SELECT format('%I.%I', n.nspname, c.relname) AS table, a.attname AS column, a.atttypid = 'bytea'::regtype AS is_binary
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname !~ '^(pg_|information_schema$)'
    AND a.attnum > 0 AND NOT a.attisdropped
  ORDER BY 1, a.attnum`;

interface Column {
  table: string;
  column: string;
  is_binary: boolean;
}

/**
 * Every value of every column of every table, ours and the libraries', whatever its type. Binary values also unchanged.
 */
export async function dumpDatabase(url: string): Promise<Dump> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(COLUMNS);
    const cells: Cell[] = [];
    for (const column of columns) cells.push(...(await cellsOf(client, column)));
    return { tables: [...new Set(columns.map(({ table }) => table))], cells };
  } finally {
    await client.end();
  }
}

async function cellsOf(client: Client, { table, column, is_binary }: Column): Promise<Cell[]> {
  const name = client.escapeIdentifier(column);
  const { rows } = await client.query<{ text: string }>(
    `SELECT ${name}::text AS text FROM ${table} WHERE ${name} IS NOT NULL`,
  );
  const where = `${table}.${column}`;
  return rows.flatMap(({ text }) => [
    { where, text },
    ...(is_binary ? [{ where, text: Buffer.from(text.slice(2), "hex").toString("latin1") }] : []),
  ]);
}
