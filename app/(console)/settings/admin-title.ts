import type { Metadata } from "next";
import { notFound } from "next/navigation";

import { currentSession } from "@/app/session";

/**
 * The title of an admin's page. A member does not learn even that: the title is decided here, before the page has
 * refused, so that it has to be refused here as well for the answer to be that of a page that does not exist.
 */
export async function adminTitle(title: string): Promise<Metadata> {
  const session = await currentSession();
  if (session && session.role !== "admin") notFound();
  return session ? { title } : {};
}
