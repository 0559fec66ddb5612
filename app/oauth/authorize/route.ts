import { AppError } from "@/lib/errors";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { htmlPage } from "@/lib/http/pages/html-page";
import { leaveOrigin, seeOther } from "@/lib/http/pages/redirects";
import { orUnavailablePage } from "@/lib/http/pages/unavailable-page";
import { requestSession } from "@/lib/http/api/authenticate";
import type { UnsafeRedirect } from "@/lib/oauth/authorization/authorization-checks";
import { checkAuthorization } from "@/lib/oauth/authorization/check-authorization";
import { isMember } from "@/lib/oauth/authorization/find-client";
import { storePendingRequest } from "@/lib/oauth/authorization/pending-requests";
import { readOAuthParameters } from "@/lib/oauth/parameters";

const { refuse, options } = allowOnly("GET, HEAD, OPTIONS");

/**
 * The authorization endpoint (RFC 6749 §3.1): checks the request, has the person sign in, and redirects to the consent
 * page. Nobody is sent to a client, not even with an error, before they have signed in as a member of its organization.
 * Otherwise our address could be used as an open redirector (RFC 9700 §4.11.2).
 */
export function GET(request: Request): Promise<Response> {
  return orUnavailablePage(() => authorize(request));
}

async function authorize(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const result = await checkAuthorization(readOAuthParameters(search));
  if (result.outcome === "page") return refusalPage(result.refusal);

  const session = await requestSession(request.headers);
  if (!session) return toSignIn(`${pathname}${search}`);
  const { client } = result;
  if (!(await isMember(session.user_id, client.organization_id))) return notYoursPage(client.name, session.user_email);
  if (result.outcome === "redirect") return leaveOrigin(request, { location: result.location, name: client.name });
  try {
    const id = await storePendingRequest(result.request, session);
    return seeOther(`/oauth/consent?request=${id}`);
  } catch (error) {
    return tooManyPage(error);
  }
}

/** Addresses and headers have 16 KiB together (Node); browsers send some of the latter. */
const MAX_SIGN_IN_ADDRESS = 12_000;

/** Has the person sign in, and brings the request back from there: escaped once more, within an address. */
function toSignIn(next: string): Response {
  const address = `/sign-in?next=${encodeURIComponent(next)}`;
  if (address.length <= MAX_SIGN_IN_ADDRESS) return seeOther(address);
  return htmlPage({
    status: 400,
    title: "This link is too long",
    paragraphs: ["Sign in here first, then go back to the app and connect it again."],
    link: { href: "/sign-in", text: "Sign in" },
    forDeveloper: [
      `invalid_request: within the address of the sign-in page, where each % is escaped once more, the request has ` +
        `${address.length} characters; at most ${MAX_SIGN_IN_ADDRESS} fit. Send a shorter state.`,
    ],
  });
}

/** The page for a person of whom too many requests wait. Throws anything else. */
function tooManyPage(error: unknown): Response {
  if (!(error instanceof AppError && error.code === "too_many_requests")) throw error;
  const page = htmlPage({ status: 429, title: "Too many apps are asking", paragraphs: [error.message] });
  page.headers.set("retry-after", String(error.retryAfter));
  return page;
}

function refusalPage({ forPerson, forDeveloper }: UnsafeRedirect): Response {
  return htmlPage({
    status: 400,
    title: "This link cannot connect an app",
    paragraphs: [
      `${forPerson} So you were not sent on, and nothing was shared.`,
      "Go back to the app and connect it again. If you end up here once more, send its developer the text below.",
    ],
    forDeveloper: [
      `invalid_request: ${forDeveloper}`,
      "Without a client and a redirect URI that belong together, nothing is redirected (RFC 6749 §4.1.2.1).",
    ],
  });
}

function notYoursPage(client: string, email: string): Response {
  return htmlPage({
    status: 403,
    title: "This app is not yours to allow",
    paragraphs: [`${client} belongs to an organization that ${email} is not a member of.`],
    link: { href: "/sign-out", text: "Sign out, then follow the link again as somebody else" },
  });
}

export { refuse as POST, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
