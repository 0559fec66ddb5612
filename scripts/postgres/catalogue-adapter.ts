import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, type SqlQuery, type SqlResultSet } from "@prisma/driver-adapter-utils";
import type { Pool, QueryResult } from "pg";

type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;

/** Object ids of PostgreSQL's types "char" and text. */
const INTERNAL_CHAR = 18;
const TEXT = 25;

/** What of @prisma/adapter-pg's adapter is not in its types. */
interface Queryable {
  client: Pool;
  onError(error: unknown): never;
  performIO(query: SqlQuery): Promise<QueryResult>;
}

/**
 * Prisma's adapter, able to read PostgreSQL's catalogues for the schema engine: version 7.10 does not know the type
 * "char" in which they hold the kinds and actions of constraints. Diffs are worked out in the (empty) database given,
 * not in one more created beside it. A script goes to PostgreSQL in one piece: the original cuts it at every semicolon,
 * those inside function bodies included.
 */
export class CataloguePg extends PrismaPg {
  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const { client, onError } = adapter as unknown as Queryable;
    return Object.assign(adapter, {
      queryRaw: (query: SqlQuery) => readWithChars(adapter, query),
      executeScript: async (script: string) => void (await client.query(script).catch(onError)),
    });
  }

  override connectToShadowDb(): Promise<Adapter> {
    return this.connect();
  }
}

/** Reads "char" columns as text, then tells the engine which they were. */
async function readWithChars(adapter: Adapter, query: SqlQuery): Promise<SqlResultSet> {
  const inner = adapter as unknown as Queryable;
  let isChar: boolean[] = [];
  const performIO = async (asked: SqlQuery): Promise<QueryResult> => {
    const result = await inner.performIO(asked);
    isChar = result.fields.map((field) => field.dataTypeID === INTERNAL_CHAR);
    for (const field of result.fields) if (field.dataTypeID === INTERNAL_CHAR) field.dataTypeID = TEXT;
    return result;
  };
  const original = Object.getPrototypeOf(adapter) as Adapter;
  const result = await original.queryRaw.call(Object.create(adapter, { performIO: { value: performIO } }), query);
  return {
    ...result,
    columnTypes: result.columnTypes.map((type, index) => (isChar[index] ? ColumnTypeEnum.Character : type)),
  };
}
