import { AppError } from "@/lib/errors";

/**
 * So much beyond the maximum is still read and forgotten, so that the sender sees the refusal and the connection stays
 * good.
 */
const MAX_DISCARDED_BYTES = 8 * 1024 * 1024;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Bodies that are read at the same time for whoever has proved nothing yet: `most` bytes of all together. Beyond that,
 * whoever has been sending for longest gives way: what is sent in order to be sent comes at once, and what is to hold
 * the place does not.
 */
export class BodyBudget {
  /** How many bytes each has, in the order in which they began. */
  readonly #held = new Map<Reader, number>();
  #sum = 0;

  constructor(private readonly most: number) {}

  begin(reader: Reader): void {
    this.#held.set(reader, 0);
  }

  add(reader: Reader, bytes: number): void {
    this.#held.set(reader, (this.#held.get(reader) ?? 0) + bytes);
    this.#sum += bytes;
    for (const oldest of this.#held.keys()) {
      if (this.#sum <= this.most) return;
      this.end(oldest);
      void oldest.cancel().catch(() => undefined);
    }
  }

  /** Whether it may go on. */
  holds(reader: Reader): boolean {
    return this.#held.has(reader);
  }

  end(reader: Reader): void {
    this.#sum -= this.#held.get(reader) ?? 0;
    this.#held.delete(reader);
  }
}

/**
 * The bytes of a request's body, at most `maximum`. They are counted while reading, because a content-length may be
 * absent. Throws `payload_too_large` with the sentence `tooLarge`, `invalid_body` when the sender has gone (that is no
 * defect of ours to be logged), and `too_many_requests` when others among `inHand` had to go before it.
 */
export async function readBytes(
  request: Request,
  maximum: number,
  tooLarge: string,
  inHand?: BodyBudget,
): Promise<Buffer> {
  const reader = request.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  inHand?.begin(reader);
  try {
    return await readAll(reader, maximum, tooLarge, inHand);
  } catch (error) {
    throw isReset(error)
      ? new AppError("invalid_body", "The connection ended before the body did.", { cause: error })
      : error;
  } finally {
    inHand?.end(reader);
    reader.releaseLock();
  }
}

async function readAll(reader: Reader, maximum: number, tooLarge: string, inHand?: BodyBudget): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= maximum + MAX_DISCARDED_BYTES) {
    const { value: chunk } = await reader.read();
    if (inHand && !inHand.holds(reader)) throw budgetExceeded();
    if (!chunk) break;
    size += chunk.byteLength;
    if (size > maximum) continue;
    chunks.push(chunk);
    inHand?.add(reader, chunk.byteLength);
  }
  if (size <= maximum) return Buffer.concat(chunks, size);
  void reader.cancel().catch(() => undefined);
  throw new AppError("payload_too_large", tooLarge);
}

function budgetExceeded(): AppError {
  return new AppError("too_many_requests", "Too much is being sent here at the same time. Send it again.", {
    retryAfter: 1,
  });
}

function isReset(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ECONNRESET";
}

const KIBIBYTE = 1024;

/** The text of a form-encoded body. Throws `payload_too_large` when it is longer than any form of ours. */
export async function readForm(request: Request): Promise<string> {
  return (await readBytes(request, 64 * KIBIBYTE, "A form may have at most 64 KB.")).toString("utf8");
}
