import type { Metadata } from "next";
import type { ReactNode } from "react";

import { currentSession } from "@/app/session";

/** A member is not even told the page's name; each page refuses by itself. */
export async function generateMetadata(): Promise<Metadata> {
  const session = await currentSession();
  return session?.role === "admin" ? { title: "API clients" } : {};
}

export default function ApiClientsLayout({ children }: { children: ReactNode }) {
  return children;
}
