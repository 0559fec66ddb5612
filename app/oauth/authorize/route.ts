import { allowOnly } from "@/lib/http/allowed-methods";
import { htmlPage } from "@/lib/http/html-page";
import { requestSession } from "@/lib/http/request-session";
import { seeOther } from "@/lib/http/see-other";
import { checkAuthorization } from "@/lib/oauth/check-authorization";
import { isMember } from "@/lib/oauth/is-member";
import { readParameters } from "@/lib/oauth/parameters";
import { storePendingRequest } from "@/lib/oauth/store-pending-request";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/** The authorization endpoint (RFC 6749 §3.1): checks the request, asks who is there, and hands over to the consent page. */
export async function GET(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const result = await checkAuthorization(readParameters(search));
  if (result.outcome === "page") {
    return htmlPage({ status: 400, title: "This request for access cannot be answered", paragraphs: [result.detail, ADVICE] });
  }
  if (result.outcome === "redirect") return seeOther(result.location);

  const session = await requestSession(request);
  if (!session) return seeOther(`/sign-in?next=${encodeURIComponent(`${pathname}${search}`)}`);
  if (!(await isMember(session.user_id, result.request.client.organization_id))) {
    const who = `${result.request.client.name} belongs to an organization that ${session.user_email} is not a member of.`;
    const link = { href: "/sign-out", text: "Sign out, then follow the link again as somebody else" };
    return htmlPage({ status: 403, title: "This application is not yours to allow", paragraphs: [who], link });
  }
  const id = await storePendingRequest(result.request, session);
  return seeOther(`/oauth/consent?request=${id}`);
}

const ADVICE = "You have not been sent back to the application, since we cannot tell that the link is its own. Tell its maker what is written here.";

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
