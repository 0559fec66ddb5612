import { Download } from "@/lib/operation";

/** How long a download may outlive the access by which it was asked for, beside the piece that is being read. */
const CHECK_INTERVAL_MS = 10_000;

/**
 * The same download, but it breaks off when `assertAllowed` throws, which is called before a piece, at most every
 * {@link CHECK_INTERVAL_MS}: a client that reads slowly could otherwise go on for hours after its access has ended.
 */
export function guardDownload({ body, headers }: Download, assertAllowed: () => Promise<void>): Download {
  const reader = body.getReader();
  let checkedAt = performance.now();
  const assertStillAllowed = async () => {
    if (performance.now() - checkedAt < CHECK_INTERVAL_MS) return;
    await assertAllowed();
    checkedAt = performance.now();
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      await assertStillAllowed().catch(async (error: unknown) => {
        // It would keep its file open.
        await reader.cancel();
        throw error;
      });
      const { value, done } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  };
  return new Download(new ReadableStream(source, { highWaterMark: 0 }), headers);
}
