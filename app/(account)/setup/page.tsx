import type { Metadata } from "next";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";

import { FORM_COOKIE, recallForm } from "@/app/form-memory";
import { SetupForm } from "@/components/account/setup-form";
import { organizationExists } from "@/lib/sessions/people/organizations";

interface SetupPageProps {
  searchParams: Promise<{ retry?: string }>;
}

export async function generateMetadata({ searchParams }: SetupPageProps): Promise<Metadata> {
  return { title: (await searchParams).retry === undefined ? "Welcome" : "Error: Welcome" };
}

/** The page of the first visit. It only redirects once there is an organization. */
export default async function SetupPage({ searchParams }: SetupPageProps) {
  if (await organizationExists()) redirect("/sign-in");
  const isRetry = (await searchParams).retry !== undefined;
  const memory = recallForm("/setup", isRetry ? (await cookies()).get(FORM_COOKIE)?.value : undefined);
  return <SetupForm values={memory.values} faults={memory.faults} />;
}
