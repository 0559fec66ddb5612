import { Download } from "@/lib/operation";

interface Named {
  /** Has only characters of the service. */
  fileName: string;
  contentType: string;
}

/** A file of any length, of which one piece is in memory: the next one is made when the client has taken the last. */
export function streamedDownload({ fileName, contentType }: Named, pieces: AsyncGenerator<Uint8Array>): Download {
  return new Download(streamOf(pieces), {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${fileName}"`,
    "x-content-type-options": "nosniff",
  });
}

/** Asks for the next piece only when the client has read the last one, and for the first one when it reads at all. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      const { value, done } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await pieces.return(undefined)),
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
