import { safePath, seeOther } from "@/lib/http/pages/redirects";

/** Sends the browser to the sign-in page with an error for `signInErrorSentence`, and keeps the page to return to. */
export function backToSignIn(error: string, next: string | null, setCookies: readonly string[] = []): Response {
  const path = safePath(next);
  const query = new URLSearchParams({ error, ...(path !== "/" && { next: path }) });
  return seeOther(`/sign-in?${query.toString()}`, setCookies);
}
