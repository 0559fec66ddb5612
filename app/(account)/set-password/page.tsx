import type { Metadata } from "next";

import { SetPasswordForm } from "@/components/account/set-password-form";

// The address holds a secret, though behind the #.
export const metadata: Metadata = { title: "Set your password", referrer: "no-referrer" };

/** The page of a one-time link. It does not name the person before the browser has sent the token. */
export default function SetPasswordPage() {
  return <SetPasswordForm />;
}
