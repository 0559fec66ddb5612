import { backToSignIn } from "@/app/api/auth/back-to-sign-in";
import { endReplacedSession } from "@/app/api/auth/end-replaced-session";
import { signInWithNextAuth } from "@/app/api/auth/sign-in-with-next-auth";
import { rememberForm } from "@/app/form-memory";
import { allowOnly } from "@/lib/http/api/fallback-routes";
import { handleForm } from "@/lib/http/pages/forms";
import { safePath, seeOther } from "@/lib/http/pages/redirects";

const { refuse, options } = allowOnly("POST, OPTIONS");

/** The sign-in page's form: `email`, `password` and `next`, the path to return to. Works without scripts. */
export function POST(request: Request): Promise<Response> {
  return handleForm(request, (form) => signIn(request, form));
}

async function signIn(request: Request, form: URLSearchParams): Promise<Response> {
  const email = form.get("email") ?? "";
  const next = safePath(form.get("next"));
  const answer = await signInWithNextAuth(request, { email, password: form.get("password") ?? "" });
  if ("error" in answer) {
    return backToSignIn(answer.error, next, [rememberForm("/sign-in", { values: { email }, faults: {} })]);
  }
  await endReplacedSession(request);
  return seeOther(next, answer.setCookies);
}

export { refuse as GET, refuse as PUT, refuse as PATCH, refuse as DELETE, options as OPTIONS };
