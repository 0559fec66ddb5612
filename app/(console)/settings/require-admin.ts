import { notFound } from "next/navigation";

import { requireSession } from "@/app/session";
import type { Context } from "@/lib/context";

/** Who asks for an admin's page, as `requireSession` gives it. To a member it is a page that does not exist. */
export async function requireAdmin(next: string): Promise<Context> {
  const context = await requireSession(next);
  if (context.role !== "admin") notFound();
  return context;
}
