import { NOTHING_TO_DECIDE } from "@/app/oauth/nothing-to-decide";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handleForm } from "@/lib/http/pages/forms";
import { htmlPage } from "@/lib/http/pages/html-page";
import { leaveOrigin } from "@/lib/http/pages/redirects";
import { clientAddress } from "@/lib/http/request";
import { requestSession } from "@/lib/http/api/authenticate";
import { isConsentToken, decideConsent } from "@/lib/oauth/authorization/consent";

const { refuse, options } = allowOnly("POST, OPTIONS");

/**
 * The consent page's form: `request`, `token`, and `decision`, which is "allow" or anything else. Sends the browser
 * back to the client.
 */
export function POST(request: Request): Promise<Response> {
  return handleForm(request, (form) => decide(request, form));
}

async function decide(request: Request, form: URLSearchParams): Promise<Response> {
  const requestId = form.get("request") ?? "";
  const session = await requestSession(request.headers);
  if (!session || !isConsentToken(form.get("token") ?? "", session.id, requestId)) return nothingToDecide();
  // Exactly one value: a form with both allows nothing.
  const approved = form.getAll("decision").join() === "allow";
  const location = await decideConsent({ requestId, session, approved, address: clientAddress(request.headers) });
  return location === null ? nothingToDecide() : leaveOrigin(request, { location });
}

function nothingToDecide(): Response {
  const { title, text } = NOTHING_TO_DECIDE;
  return htmlPage({ status: 400, title, paragraphs: [text] });
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
