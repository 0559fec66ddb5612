import type { ReactNode } from "react";

import { requireSession } from "@/app/session";
import { AdminsOnly } from "@/components/settings/admins-only";
import type { Context } from "@/lib/context";
import { listAdmins } from "@/lib/sessions/people/users";

interface AdminPage {
  /** Path and query of the page, to which signing in leads back. */
  path: string;
  title: string;
}

/** A page of the settings for admins. A member reads in its place who sees it, and whom to ask. */
export async function forAdmins({ path, title }: AdminPage, page: (admin: Context) => ReactNode): Promise<ReactNode> {
  const context = await requireSession(path);
  if (context.role === "admin") return page(context);
  return <AdminsOnly title={title} admins={await listAdmins(context.organizationId)} />;
}
