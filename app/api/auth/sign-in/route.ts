import { signInWithNextAuth } from "@/app/api/auth/sign-in-with-next-auth";
import { rememberForm } from "@/app/form-memory";
import { foreignForm } from "@/lib/http/foreign-form";
import { readForm } from "@/lib/http/read-form";
import { requestSession } from "@/lib/http/request-session";
import { safePath } from "@/lib/http/safe-path";
import { isSameOrigin } from "@/lib/http/same-origin";
import { seeOther } from "@/lib/http/see-other";
import { endSession } from "@/lib/sessions/end-session";

/** The sign-in page's form: `email`, `password` and `next`, the path to go to. Works without scripts. */
export async function POST(request: Request): Promise<Response> {
  if (!isSameOrigin(request)) return foreignForm();
  const form = new URLSearchParams(await readForm(request));
  const email = form.get("email") ?? "";
  const next = safePath(form.get("next"));
  const answer = await signInWithNextAuth(request, { email, password: form.get("password") ?? "" });
  if ("error" in answer) {
    const query = new URLSearchParams({ error: answer.error, ...(next !== "/" && { next }) });
    return seeOther(`/sign-in?${query.toString()}`, [rememberForm("/sign-in", { values: { email }, faults: {} })]);
  }
  const replaced = await requestSession(request);
  if (replaced) await endSession(replaced.id);
  return seeOther(next, answer.setCookies);
}
