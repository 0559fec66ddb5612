import type { Metadata } from "next";

import { SetPasswordForm } from "@/components/account/set-password-form";

export const metadata: Metadata = { title: "Set your password" };

/** Where a one-time link leads. It says nothing of whom it is for before the browser has shown its token. */
export default function SetPasswordPage() {
  return <SetPasswordForm />;
}
