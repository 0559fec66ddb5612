import { hash, randomUUID } from "node:crypto";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Below and above every id: where lists begin and end. */
export const MIN_UUID = "00000000-0000-0000-0000-000000000000";

export const MAX_UUID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

let lastMillisecond = 0;

let sequence = 0;

/**
 * A UUIDv7 (RFC 9562 §5.7) from 48 bits of Unix milliseconds, and 20 hexadecimal `digits` under the version and variant
 * bits.
 */
function format(milliseconds: number, digits: string): string {
  const head = Math.max(0, milliseconds).toString(16).padStart(12, "0");
  const variant = ((Number.parseInt(digits.charAt(4), 16) & 0x3) | 0x8).toString(16);
  const tail = `7${digits.slice(1, 4)}-${variant}${digits.slice(5, 8)}-${digits.slice(8, 20)}`;
  return `${head.slice(0, 8)}-${head.slice(8)}-${tail}`;
}

/**
 * A new UUIDv7. Ids of one process ascend even within a millisecond: the 12 bits after the version count up (RFC 9562
 * §6.2, method 1), and when they run out the id borrows the next millisecond.
 */
export function newId(): string {
  const now = Date.now();
  // All of a version 4 UUID but its version and variant is random. randomUUID takes it from a pool that it fills in
  // advance, where randomBytes asks the system each time.
  const random = randomUUID();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    sequence = Number.parseInt(random.slice(0, 3), 16) & 0x7ff;
  } else if (++sequence > 0xfff) {
    lastMillisecond += 1;
    sequence = 0;
  }
  // Its last two groups begin with our variant.
  const head = lastMillisecond.toString(16).padStart(12, "0");
  return `${head.slice(0, 8)}-${head.slice(8)}-7${sequence.toString(16).padStart(3, "0")}${random.slice(18)}`;
}

/**
 * The UUIDv7 of an imported record. Its milliseconds are the creation time in the source, so that lists keep the
 * source's order. Its random bits are a digest of organization and external id, so that a repeated import mints the
 * same id.
 */
export function importedId(organizationId: string, extId: string, createdAt: Date): string {
  return format(createdAt.getTime(), hash("sha256", `${organizationId}\0${extId}`));
}

/** The creation time in a UUIDv7. */
export function timeOf(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** The lowest id of that millisecond; no later id is below it. */
export function minIdAt(time: Date): string {
  return format(time.getTime(), "0".repeat(20));
}

/**
 * Whether `value` is a UUIDv7 in lower case, the form of ids within the service. `lib/input/ids-and-times.ts` parses
 * ids from outside.
 */
export function isId(value: string): boolean {
  return UUID_V7.test(value);
}

/** As a parameter of a statement: `id = NULL` finds no row, where PostgreSQL would refuse what is not an id. */
export function idOrNull(value: string): string | null {
  return isId(value) ? value : null;
}
