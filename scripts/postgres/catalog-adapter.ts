import { PrismaPg } from "@prisma/adapter-pg";
import { ColumnTypeEnum, type SqlQuery, type SqlResultSet } from "@prisma/driver-adapter-utils";
import type { Pool, QueryResult } from "pg";

import { applyScript } from "@/scripts/postgres/apply-script";
import { Fault } from "@/scripts/service/fault";

type Adapter = Awaited<ReturnType<PrismaPg["connect"]>>;

/** Object ids of PostgreSQL's types "char" and text. */
const INTERNAL_CHAR = 18;
const TEXT = 25;

/** Members of @prisma/adapter-pg's adapter that its types do not declare. */
interface Queryable {
  client: Pool;
  onError(error: unknown): never;
  performIO(query: SqlQuery): Promise<QueryResult>;
}

/**
 * Prisma's adapter, extended to read PostgreSQL's catalogs for the schema engine: version 7.10 does not know the type
 * "char", in which they store the kinds and actions of constraints. Diffs are computed in the given (empty) database
 * instead of another new one. A script is applied whole ({@link applyScript}): the original splits it at every
 * semicolon, even inside function bodies.
 */
export class CatalogPg extends PrismaPg {
  /** The fault of a script: the engine reports its own number for an error that is none of PostgreSQL's. */
  fault: Fault | undefined;

  override async connect(): Promise<Adapter> {
    const adapter = await super.connect();
    const { client, onError } = adapter as unknown as Queryable;
    return Object.assign(adapter, {
      queryRaw: (query: SqlQuery) => readWithChars(adapter, query),
      executeScript: (script: string) =>
        applyScript(client, script).catch((error: unknown) => {
          if (error instanceof Fault) this.fault = error;
          onError(error);
        }),
    });
  }

  override connectToShadowDb(): Promise<Adapter> {
    return this.connect();
  }
}

/** Reads "char" columns as text, then gives the engine their real type. */
async function readWithChars(adapter: Adapter, query: SqlQuery): Promise<SqlResultSet> {
  const inner = adapter as unknown as Queryable;
  let isChar: boolean[] = [];
  const performIO = async (rawQuery: SqlQuery): Promise<QueryResult> => {
    const result = await inner.performIO(rawQuery);
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
