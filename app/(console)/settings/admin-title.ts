import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { currentSession } from "@/app/session";

/**
 * The title of an admin's page. The title is computed before the page refuses a member, so it must refuse as well: for
 * a member, these pages must look as if they did not exist.
 */
export async function adminTitle(title: string): Promise<Metadata> {
  const session = await currentSession();
  if (session && session.role !== "admin") notFound();
  return session ? { title } : {};
}
