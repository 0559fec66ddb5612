import type { ReactNode } from "react";

import { AccountFrame } from "@/components/account/account-frame";

// Rendered per request: these pages depend on whether an organization exists and who is signed in.
export const dynamic = "force-dynamic";

export default function AccountLayout({ children }: { children: ReactNode }) {
  return <AccountFrame>{children}</AccountFrame>;
}
