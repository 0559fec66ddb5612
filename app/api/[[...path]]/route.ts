import { unknownPath } from "@/lib/http/api/fallback-routes";

export const dynamic = "force-dynamic";

/** Answers every other path below /api. */
export {
  unknownPath as GET,
  unknownPath as POST,
  unknownPath as PUT,
  unknownPath as PATCH,
  unknownPath as DELETE,
  unknownPath as OPTIONS,
};
