import { AppError } from "@/lib/errors";

/** The refusal of a body where none is read. */
export const NO_BODY = "No body is read here; leave it out.";

/**
 * So many bytes beyond the maximum are read and discarded, so that the sender sees the refusal and the connection stays
 * usable.
 */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

interface Bounds {
  /** The most bytes of all bodies together. */
  bytes: number;
  /** A request occupies memory even before its body comes. */
  bodies: number;
}

/**
 * Limits the bodies of unauthenticated requests that are read at the same time. Beyond that, the one that has been
 * sending for longest is cancelled: an honest body arrives at once, one that is meant to occupy the budget does not.
 */
export class BodyBudget {
  /** The bytes of each reader, in the order in which they began. */
  readonly #bytes = new Map<Reader, number>();
  #sum = 0;

  constructor(private readonly bounds: Bounds) {}

  open(reader: Reader): void {
    this.add(reader, 0);
  }

  add(reader: Reader, bytes: number): void {
    this.#bytes.set(reader, (this.#bytes.get(reader) ?? 0) + bytes);
    this.#sum += bytes;
    for (const oldest of this.#bytes.keys()) {
      if (this.#sum <= this.bounds.bytes && this.#bytes.size <= this.bounds.bodies) return;
      this.close(oldest);
      void oldest.cancel().catch(() => undefined);
    }
  }

  /** Whether the reader may go on; false once it was cancelled. */
  has(reader: Reader): boolean {
    return this.#bytes.has(reader);
  }

  close(reader: Reader): void {
    this.#sum -= this.#bytes.get(reader) ?? 0;
    this.#bytes.delete(reader);
  }
}

/**
 * The bytes of a request's body, at most `maximum`. They are counted while reading, because `content-length` may be
 * absent. Throws `payload_too_large` with the sentence `tooLarge`, `invalid_body` if the sender has disconnected (which
 * is not a defect to be logged), and `too_many_requests` if `budget` has cancelled it.
 */
export async function readBytes(
  request: Request,
  maximum: number,
  tooLarge: string,
  budget?: BodyBudget,
): Promise<Buffer> {
  const reader = request.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  budget?.open(reader);
  try {
    return await readAll(reader, maximum, tooLarge, budget);
  } catch (error) {
    throw isReset(error)
      ? new AppError("invalid_body", "The connection ended before the body did.", { cause: error })
      : error;
  } finally {
    budget?.close(reader);
    reader.releaseLock();
  }
}

async function readAll(reader: Reader, maximum: number, tooLarge: string, budget?: BodyBudget): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maximum + MAX_DISCARDED_BYTES) {
    const { value: chunk } = await reader.read();
    if (budget && !budget.has(reader)) throw budgetExceeded();
    if (!chunk) break;
    size += chunk.byteLength;
    if (size > maximum) continue;
    chunks.push(chunk);
    budget?.add(reader, chunk.byteLength);
  }
  if (size <= maximum) return Buffer.concat(chunks, size);
  void reader.cancel().catch(() => undefined);
  throw new AppError("payload_too_large", tooLarge);
}

function budgetExceeded(): AppError {
  return new AppError(
    "too_many_requests",
    "Too many bodies are being sent here at the same time. Send this one again.",
    {
      retryAfter: 1,
    },
  );
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

const KIBIBYTE = 1024;

const MAX_FORM_BYTES = 64 * KIBIBYTE;

// Next evaluates modules once per bundle; one process counts once.
const holder = globalThis as typeof globalThis & { crmForms?: BodyBudget };

/** The budget of all forms, most of which are sent by nobody who is signed in. */
const forms = (holder.crmForms ??= new BodyBudget({ bytes: 128 * MAX_FORM_BYTES, bodies: 256 }));

/**
 * The text of a form-encoded body. Throws `payload_too_large` above 64 KB, and `too_many_requests` if it was still
 * coming when too many others were being sent.
 */
export async function readForm(request: Request): Promise<string> {
  return (await readBytes(request, MAX_FORM_BYTES, "A form may have at most 64 KB.", forms)).toString("utf8");
}
