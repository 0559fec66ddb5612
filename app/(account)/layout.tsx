import type { ReactNode } from "react";

import { AccountFrame } from "@/components/account/account-frame";

// What these pages show depends on the moment: whether an organization exists, who is signed in.
export const dynamic = "force-dynamic";

export default function AccountLayout({ children }: { children: ReactNode }) {
  return <AccountFrame>{children}</AccountFrame>;
}
