import { allowOnly } from "@/lib/http/allowed-methods";
import { clientAddress } from "@/lib/http/client-address";
import { foreignForm } from "@/lib/http/foreign-form";
import { requestSession } from "@/lib/http/request-session";
import { isSameOrigin } from "@/lib/http/same-origin";
import { seeOther } from "@/lib/http/see-other";
import { endSession } from "@/lib/sessions/end-session";
import { clearedSessionCookie } from "@/lib/sessions/session-cookie";

const { refuse, options } = allowOnly("POST, OPTIONS");

/** Ends the session on the server before the browser is told to forget it, so that a copied cookie is worth nothing. */
export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request)) return foreignForm();
  const session = await requestSession(request);
  if (session) await endSession(session.id, clientAddress(request.headers));
  return seeOther("/sign-in", [clearedSessionCookie()]);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
