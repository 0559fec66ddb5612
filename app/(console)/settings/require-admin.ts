import { notFound } from "next/navigation";

import { requireSession } from "@/app/session";
import type { Context } from "@/lib/context";

/** The context of an admin, as `requireSession` returns it. For a member, the page does not exist. */
export async function requireAdmin(next: string): Promise<Context> {
  const context = await requireSession(next);
  if (context.role !== "admin") notFound();
  return context;
}
