import { callNextAuth } from "@/app/api/auth/call-next-auth";
import { readSetCookie } from "@/app/api/auth/read-set-cookie";
import { readCookie } from "@/lib/http/request";
import { SESSION_COOKIE, DEVICE_COOKIE, deviceCookie } from "@/lib/sessions/browser-sessions/cookies";

interface Credentials {
  email: string;
  password: string;
}

export type SignInAnswer = { setCookies: string[] } | { error: string };

/**
 * Signs in by next-auth's credentials flow for a form of our own page. next-auth requires a CSRF token, which is
 * fetched here: the caller has checked the form's origin instead, which also works for a page without scripts. Marks
 * the browser as one in which this e-mail has signed in.
 */
export async function signInWithNextAuth(request: Request, { email, password }: Credentials): Promise<SignInAnswer> {
  const common = { query: {}, headers: request.headers };
  const csrf = await callNextAuth({ ...common, action: ["csrf"], method: "GET", body: {}, cookies: {} });
  const { csrfToken } = (await csrf.json()) as { csrfToken: string };
  const answer = await callNextAuth({
    ...common,
    action: ["callback", "credentials"],
    method: "POST",
    body: { csrfToken, email, password },
    cookies: Object.fromEntries(csrf.headers.getSetCookie().map(readSetCookie)),
  });
  const setCookies = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  if (setCookies.length > 0)
    return { setCookies: [...setCookies, deviceCookie(email, readCookie(request.headers, DEVICE_COOKIE))] };
  const location = new URL(answer.headers.get("location") ?? "", "http://localhost");
  return { error: location.searchParams.get("error") ?? "CredentialsSignin" };
}
