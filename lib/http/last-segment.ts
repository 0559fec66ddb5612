import { AppError } from "@/lib/errors";

/** The last part of a request's path, percent-decoded once: a text of any characters, slashes (`%2F`) included. Throws `invalid_request`. */
export function lastSegment(request: Request): string {
  const segment = new URL(request.url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new AppError("invalid_request", "A percent sign in the path begins no escape of UTF-8. Write the sign itself as %25.");
  }
}
