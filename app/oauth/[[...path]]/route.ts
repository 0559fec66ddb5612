import { unknownPageOrPath } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

/** Answers every other path at /oauth and below. A mistyped address can lead people here as well as programs. */
export {
  unknownPageOrPath as GET,
  unknownPageOrPath as POST,
  unknownPageOrPath as PUT,
  unknownPageOrPath as PATCH,
  unknownPageOrPath as DELETE,
  unknownPageOrPath as OPTIONS,
};
