import { unknownPageOrPath } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

/** What no other route answers at /oauth and below. Both people and programs may be led here by a mistyped address. */
export {
  unknownPageOrPath as GET,
  unknownPageOrPath as POST,
  unknownPageOrPath as PUT,
  unknownPageOrPath as PATCH,
  unknownPageOrPath as DELETE,
  unknownPageOrPath as OPTIONS,
};
