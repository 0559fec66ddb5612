import { postToNextAuth } from "@/app/api/auth/call-next-auth";
import { readCookie } from "@/lib/http/request";
import { SESSION_COOKIE, DEVICE_COOKIE } from "@/lib/sessions/browser-sessions/cookies";
import { markDevice } from "@/lib/sessions/sign-in/check-sign-in";

interface Credentials {
  email: string;
  password: string;
}

export type SignInAnswer = { setCookies: string[] } | { error: string };

/**
 * Signs in by next-auth's credentials flow for a form of our own page, and marks the browser as one in which this user
 * has signed in.
 */
export async function signInWithNextAuth(request: Request, { email, password }: Credentials): Promise<SignInAnswer> {
  const answer = await postToNextAuth(request.headers, ["callback", "credentials"], { email, password });
  const setCookies = answer.headers.getSetCookie().filter((cookie) => cookie.startsWith(`${SESSION_COOKIE}=`));
  if (setCookies.length > 0)
    return { setCookies: [...setCookies, ...(await markDevice(email, readCookie(request.headers, DEVICE_COOKIE)))] };
  const location = new URL(answer.headers.get("location") ?? "", "http://localhost");
  return { error: location.searchParams.get("error") ?? "CredentialsSignin" };
}
