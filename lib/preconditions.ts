import { AppError } from "@/lib/errors";

/** One entity-tag of a request's precondition (RFC 9110 §8.8.3), without its quotes. */
export interface EntityTag {
  isWeak: boolean;
  tag: string;
}

/** What must hold of a record before a request changes it (RFC 9110 §13.1). "*" stands for any record. */
export interface Preconditions {
  ifMatch?: "*" | readonly EntityTag[];
  ifNoneMatch?: "*" | readonly EntityTag[];
}

/** What an entity-tag is made from. */
export interface Versioned {
  id: string;
  version: number;
}

/** The tag of a record at its own address. */
export function tagOf({ version }: Versioned): string {
  return String(version);
}

/** The tag of a record at an address that can later name another record, whose version may be the same. */
export function tagWithId({ id, version }: Versioned): string {
  return `${version}-${id}`;
}

/** Every tag that identifies a record. */
export function tagsOf(record: Versioned): string[] {
  return [tagOf(record), tagWithId(record)];
}

/**
 * Throws `precondition_failed` unless the record (undefined when there is none) is as the request expects. Call it
 * while the record is locked.
 */
export function assertPreconditions(preconditions: Preconditions | undefined, current: Versioned | undefined): void {
  const { ifMatch, ifNoneMatch } = preconditions ?? {};
  if (ifMatch !== undefined && !(current && matchesTag(ifMatch, tagsOf(current), { strongly: true }))) {
    throw current && matchesTag(ifMatch, tagsOf(current), { strongly: false })
      ? weakTagError()
      : preconditionFailed(current);
  }
  if (ifNoneMatch !== undefined && current && matchesTag(ifNoneMatch, tagsOf(current), { strongly: false }))
    throw preconditionFailed(current);
}

/** Throws `precondition_failed` unless what has this tag, though no version, is as the request expects. */
export function assertTag({ ifMatch, ifNoneMatch }: Preconditions = {}, tag: string): void {
  const isOther = ifMatch !== undefined && !matchesTag(ifMatch, [tag], { strongly: true });
  if (!isOther && !(ifNoneMatch !== undefined && matchesTag(ifNoneMatch, [tag], { strongly: false }))) return;
  throw new AppError(
    "precondition_failed",
    "It has been changed meanwhile, which If-Match or If-None-Match rules out. Get it, and decide again.",
  );
}

/**
 * Strong comparison for `If-Match`, where a weak tag never matches, weak comparison for `If-None-Match` (RFC 9110
 * §8.8.3.2).
 */
export function matchesTag(
  expected: "*" | readonly EntityTag[],
  tags: readonly string[],
  { strongly }: { strongly: boolean },
): boolean {
  return expected === "*" || expected.some(({ isWeak, tag }) => !(strongly && isWeak) && tags.includes(tag));
}

/** Proxies turn a tag into a weak one when they compress a response. */
function weakTagError(): AppError {
  return new AppError(
    "precondition_failed",
    "If-Match has the record's version as a weak tag, which never matches (RFC 9110 §13.1.1). Send it without W/.",
  );
}

function preconditionFailed(current: Versioned | undefined): AppError {
  const state = current ? `The record has version ${current.version} now` : "There is no such record";
  return new AppError(
    "precondition_failed",
    `${state}, which If-Match or If-None-Match rules out. Get it, and decide again.`,
  );
}
