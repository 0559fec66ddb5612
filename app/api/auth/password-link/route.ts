import { handleJson } from "@/app/api/auth/handle-json";
import { rememberForm } from "@/app/form-memory";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { clientAddress, readCookie } from "@/lib/http/request";
import { DEVICE_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import { findLinkedPerson, setPasswordByLink } from "@/lib/sessions/passwords/use-password-link";
import { markDevice } from "@/lib/sessions/sign-in/check-sign-in";

const { refuse, options } = allowOnly("POST, PUT, OPTIONS");

/** The person that the one-time link with this `token` is for. Not a GET, whose address would hold the token. */
export function POST(request: Request): Promise<Response> {
  return handleJson(request, async (body) =>
    Response.json(await findLinkedPerson(body, clientAddress(request.headers))),
  );
}

/**
 * Sets the `password` of the person that the link with this `token` is for, once. It signs nobody in, but the sign-in
 * page then knows the e-mail address, and the browser has attempts of its own: whoever needs a link has often used up
 * those of a new browser.
 */
export function PUT(request: Request): Promise<Response> {
  return handleJson(request, async (body) => {
    const person = await setPasswordByLink(body, clientAddress(request.headers));
    const remembered = rememberForm("/sign-in", { values: { email: person.email }, faults: {} });
    const known = await markDevice(person.email, readCookie(request.headers, DEVICE_COOKIE));
    return Response.json(person, { headers: [remembered, ...known].map((cookie) => ["set-cookie", cookie]) });
  });
}

export { refuse as GET, refuse as PATCH, refuse as DELETE, options as OPTIONS };
