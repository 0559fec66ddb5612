import type { Metadata } from "next";
import { redirect } from "next/navigation";

import { currentSession } from "@/app/session";
import { SignOutForm } from "@/components/account/sign-out-form";

export const metadata: Metadata = { title: "Sign out" };

/** Asks before ending the session: a link must not be able to sign anybody out. */
export default async function SignOutPage() {
  const session = await currentSession();
  if (!session) redirect("/sign-in");
  return <SignOutForm email={session.user_email} />;
}
