import type { Context } from "@/lib/context";
import { AppError } from "@/lib/errors";

/** Who asks: a bearer token, or the session cookie of our own pages. Throws `unauthenticated`. */
export async function authenticate(_request: Request, _requestId: string): Promise<Context> {
  throw new AppError("unauthenticated", "Send an access token in the Authorization header, or sign in.");
}
