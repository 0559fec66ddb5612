import { unknownPath } from "@/lib/http/refuse";

export const dynamic = "force-dynamic";

/** Whatever no other route of the API answers: a client that reads problems should not be sent a page. */
export { unknownPath as GET, unknownPath as POST, unknownPath as PUT, unknownPath as PATCH, unknownPath as DELETE, unknownPath as OPTIONS };
