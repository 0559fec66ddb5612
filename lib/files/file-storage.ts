/** Where the contents of files are kept, by keys of letters, digits, hyphens and slashes. */
export interface FileStorage {
  /** Stores a content, whole or not at all. A content of the same key is replaced. */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<void>;
  /** The content; null if there is none. */
  read(key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** Deletes the content, if there is one. */
  remove(key: string): Promise<void>;
  /**
   * Deletes the whole contents of an organization, whether or not anything else knows of them, for about
   * `milliseconds`. Returns whether none is left.
   */
  removeAll(organizationId: string, milliseconds: number): Promise<boolean>;
  /** Deletes what killed processes had begun to write and not touched since. Returns how many contents. */
  removeUnfinished(before: Date): Promise<number>;
}

/** The storage refused, or could not be reached. */
export class StorageError extends Error {
  override name = "StorageError";

  constructor(
    message: string,
    /** Whether the same request may succeed later. */
    readonly transient: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The storage does not tell which contents it has, and will not: whoever has access may not ask, or it cannot. */
export class ListingRefused extends StorageError {}

/** Too many files are open in the process or on the machine, or its memory is short for a moment. */
const PASSING = /^(?:EMFILE|ENFILE|EAGAIN)$/;

/** The error for a folder in which contents are kept, or kept until they are sent. */
export function folderRefused(work: "read" | "written", error: unknown): StorageError {
  const code = systemCode(error);
  return new StorageError(`The folder of files cannot be ${work} (${code}).`, PASSING.test(code), { cause: error });
}

/** The code of an error of the file system: `ENOSPC`. */
export function systemCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** The key of a file's content. */
export function contentKey(organizationId: string, fileId: string): string {
  return `${organizationId}/${fileId.slice(-2)}/${fileId}`;
}
