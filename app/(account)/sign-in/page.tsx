import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";

import { signInErrorSentence } from "@/app/api/auth/sign-in-error";
import { FORM_COOKIE, recallForm } from "@/app/form-memory";
import { currentSession } from "@/app/session";
import { SignInForm } from "@/components/account/sign-in-form";
import { safePath } from "@/lib/http/pages/redirects";
import { oidcProvider } from "@/lib/sessions/openid/provider";
import { organizationExists } from "@/lib/sessions/people/organizations";

interface SignInPageProps {
  /** `callbackUrl` is next-auth's name for `next`. */
  searchParams: Promise<{ next?: string | string[]; callbackUrl?: string | string[]; error?: string | string[] }>;
}

export async function generateMetadata({ searchParams }: SignInPageProps): Promise<Metadata> {
  return { title: (await searchParams).error ? "Error: Sign in" : "Sign in" };
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, callbackUrl, error } = await searchParams;
  const target = safePath([next ?? callbackUrl].flat()[0]);
  if (await currentSession()) redirect(target);
  if (!(await organizationExists())) redirect("/setup");
  const failure = [error].flat()[0];
  return (
    <SignInForm
      next={target}
      email={await rememberedEmail()}
      error={failure ? signInErrorSentence(failure) : null}
      provider={oidcProvider()?.name ?? null}
    />
  );
}

/** The e-mail that was entered before the sign-in failed, or for which a password has just been set. */
async function rememberedEmail(): Promise<string> {
  return recallForm("/sign-in", (await cookies()).get(FORM_COOKIE)?.value)?.values["email"] ?? "";
}
