import * as fc from "fast-check";

import type { ApiOperation, ApiParameter } from "@/tests/service/fuzz/support/document";
import { type Meanings, resourceOf } from "@/tests/service/fuzz/support/meanings";
import { valueOf } from "@/tests/service/fuzz/support/schema-arbitrary";
import type { Answer, Wire } from "@/tests/service/fuzz/support/send";
import type { Pool, Fixtures } from "@/tests/service/fuzz/support/fixtures";

/**
 * A record that can be used once. It is chosen when the request is sent, because it depends on the requests sent
 * before.
 */
interface ConsumedRecord {
  from: "expendable" | "deleted";
  pick: number;
}

/** A request before it is encoded. */
export interface Draft {
  operation: ApiOperation;
  path: Record<string, string | ConsumedRecord>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  /** Undefined: no body. */
  body: unknown;
  /** What becomes of body and target when they are written down. */
  rewrite: { body?: (text: string) => Buffer; target?: (target: string) => string; method?: string };
}

/** Valid requests of an operation, about existing records. */
export function draftOf(operation: ApiOperation, meanings: Meanings, fixtures: Fixtures): fc.Arbitrary<Draft> {
  const inPlace = (where: ApiParameter["in"]) => operation.parameters.filter((parameter) => parameter.in === where);
  const path = fc.record(
    Object.fromEntries(inPlace("path").map(({ name }) => [name, pathValue(name, operation, fixtures)])),
  );
  const valuesOf = (parameters: ApiParameter[]) =>
    Object.fromEntries(parameters.map((parameter) => [parameter.name, queryValue(parameter, meanings)]));
  const required = fc.record(valuesOf(inPlace("query").filter((parameter) => parameter.required)));
  const some = someOf(valuesOf(inPlace("query")));
  const query = fc.tuple(required, some).map(([needed, chosen]) => ({ ...needed, ...chosen }));
  const headers = someOf(
    Object.fromEntries(inPlace("header").map(({ name }) => [name.toLowerCase(), headerValue(name)])),
  );
  const anyBody = operation.body ? valueOf(operation.body, meanings.meaning) : fc.constant(undefined);
  const body = meanings.body ? fc.oneof(meanings.body, meanings.body, anyBody) : anyBody;
  return fc.record({ path, query, headers, body }).map(({ path, query, headers, body }) => ({
    operation,
    path,
    query: Object.entries(query),
    headers: { ...headers, ...(operation.body && { "content-type": "application/json" }) },
    body,
    rewrite: {},
  }));
}

/** Usually few of them, so that one does not often exclude what another one needs. */
function someOf(model: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<Record<string, string>> {
  const entries = Object.entries(model).map(([name, value]) => value.map((text) => [name, text] as const));
  if (entries.length === 0) return fc.constant({});
  return fc.array(fc.oneof(...entries), { maxLength: 4 }).map((chosen) => Object.fromEntries(chosen));
}

export function queryValue(parameter: ApiParameter, { meaning, query }: Meanings): fc.Arbitrary<string> {
  return query(parameter)?.right ?? valueOf(parameter.schema, meaning, parameter.name).map(String);
}

function headerValue(name: string): fc.Arbitrary<string> {
  if (name === "Idempotency-Key") {
    return fc.oneof(
      { weight: 5, arbitrary: fc.uuid() },
      { weight: 1, arbitrary: fc.constantFrom("again-1", "again-2", '"again 3"') },
    );
  }
  return fc.constantFrom("*", '"1"', '"1", "2"', 'W/"1"', '"2" ,W/"3"', '""');
}

const TAKEN: Record<string, ConsumedRecord["from"]> = {
  restore: "deleted",
  convert: "expendable",
  escalate: "expendable",
};

function pathValue(
  name: string,
  operation: ApiOperation,
  { pools, migrationIds, eventIds }: Fixtures,
): fc.Arbitrary<string | ConsumedRecord> {
  const pool = pools[resourceOf(operation)];
  if (name === "migration_id") return fc.constantFrom(...migrationIds);
  if (name === "event_id") return fc.constantFrom(...eventIds);
  // Disconnecting the existing one would revoke the access that all tests share.
  if (name === "connection_id") return fc.constant(NOT_THERE);
  if (!pool) throw new Error(`The fuzz test does not know what ${operation.path} is about.`);
  if (name === "ext_id") {
    const isWrite = operation.method === "PUT";
    return fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...pool.extIds) },
      ...(isWrite ? [{ weight: 1, arbitrary: fc.uuid() }] : []),
    );
  }
  const from = operation.method === "DELETE" ? "expendable" : TAKEN[operation.path.split("/")[3] ?? ""];
  return from ? fc.nat().map((pick) => ({ from, pick })) : fc.constantFrom(...pool.permanent);
}

/** A request that is ready to be sent. */
export interface Ready {
  wire: Wire;
  /** The record that it consumes, if any. */
  consumed: string | undefined;
  /** False if no record was left to use. */
  isReal: boolean;
}

const NOT_THERE = "019cadd3-7fc0-7af2-9132-9b2fc82e5efe";

/** Encodes a draft. */
export function write(draft: Draft, { pools, token }: Fixtures): Ready {
  const { operation, path, query, headers, body, rewrite } = draft;
  let consumed: string | undefined;
  let isReal = true;
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name] ?? "";
    if (typeof value === "string") return encode(value);
    const pool = pools[resourceOf(operation)]?.[value.from] ?? [];
    isReal = pool.length > 0;
    [consumed] = pool.splice(value.pick % Math.max(1, pool.length), 1);
    return consumed ?? NOT_THERE;
  });
  const search = query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join("&");
  const target = `/api/v1${filled}${search && `?${search}`}`;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const wire: Wire = {
    method: rewrite.method ?? operation.method,
    target: rewrite.target?.(target) ?? target,
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: text === undefined ? null : (rewrite.body?.(text) ?? Buffer.from(text)),
  };
  return { wire, consumed, isReal };
}

/** Percent-encodes. A lone surrogate becomes the bytes that some encoders produce. */
function encode(text: string): string {
  return text.isWellFormed()
    ? encodeURIComponent(text)
    : text.replaceAll(/[\ud800-\udfff]/g, "%ED%A0%80").replaceAll("\0", "%00");
}

/** Maximum number of records that wait to be used. */
const MAX_WAITING = 500;

/** Adds the records of an answer to those that can be used. */
export function note({ operation }: Draft, { consumed, wire }: Ready, answer: Answer, { pools }: Fixtures): void {
  const pool = pools[resourceOf(operation)];
  // The answer to an earlier request says nothing about the current records.
  if (!pool || answer.headers["idempotent-replayed"] === "true") return;
  const isDone = answer.status >= 200 && answer.status < 300 && wire.method === operation.method;
  if (isDone) noteDone(operation, consumed, answer, pool);
  else if (consumed !== undefined && answer.status !== 404)
    pool[isRestoration(operation) ? "deleted" : "expendable"].unshift(consumed);
}

function noteDone(
  operation: ApiOperation,
  consumed: string | undefined,
  { text }: Answer,
  { expendable, deleted }: Pool,
): void {
  if (consumed !== undefined && operation.method === "DELETE") deleted.push(consumed);
  if (consumed !== undefined && isRestoration(operation)) expendable.push(consumed);
  if (isCreation(operation) && expendable.length < MAX_WAITING)
    expendable.push((JSON.parse(text) as { id: string }).id);
}

function isCreation({ method, path }: ApiOperation): boolean {
  return method === "POST" && path.split("/").length === 2;
}

function isRestoration({ path }: ApiOperation): boolean {
  return path.endsWith("/restore");
}
