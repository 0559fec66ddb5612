import type { Response } from "undici";

/** Takes the body of a success as it comes, in place of a text. Called again when the request is repeated. */
export type Receiver = (body: AsyncIterable<Uint8Array>) => Promise<void>;

/** A content may have gigabytes. The dispatcher ends one from which nothing comes. */
export const CONTENT_TIMEOUT_MS = 3_600_000;

/** The receiver of a body has failed, not the source. */
export class ReceiverFailed extends Error {}

/**
 * Gives a body to its receiver. Faults of the source are thrown as they are, those of the receiver as
 * {@link ReceiverFailed}. Nothing of it is left as text.
 */
export async function takeBody({ body }: Response, into: Receiver): Promise<""> {
  let lost: unknown;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    try {
      if (body) yield* body as AsyncIterable<Uint8Array>;
    } catch (error) {
      lost = error;
      throw error;
    }
  }
  try {
    await into(chunks());
    return "";
  } catch (error) {
    if (lost !== undefined) throw lost;
    throw new ReceiverFailed("", { cause: error });
  }
}
