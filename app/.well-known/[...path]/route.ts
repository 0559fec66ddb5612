import { unknownPath } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

/** Answers every other well-known address (RFC 8615). Programs try many of them, and read the status. */
export {
  unknownPath as GET,
  unknownPath as POST,
  unknownPath as PUT,
  unknownPath as PATCH,
  unknownPath as DELETE,
  unknownPath as OPTIONS,
};
