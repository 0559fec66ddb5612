import type { Metadata } from "next";

import { SetPasswordForm } from "@/components/account/set-password-form";

// Its address holds a secret, if only behind the #.
export const metadata: Metadata = { title: "Set your password", referrer: "no-referrer" };

/** Where a one-time link leads. It says nothing of whom it is for before the browser has shown its token. */
export default function SetPasswordPage() {
  return <SetPasswordForm />;
}
