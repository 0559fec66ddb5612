import { cookies } from "next/headers";

import { FORM_COOKIE, recallForm } from "@/app/form-memory";
import { requireSession } from "@/app/session";
import { ConnectStep } from "@/components/migration/connect/connect-step";
import { env } from "@/lib/env";

export const metadata = { title: "Connect" };

/**
 * `connection_id` and `error` are set on the return from Salesforce; `ext_instance_url` by a page that wants the same
 * org connected again.
 */
interface Props {
  searchParams: Promise<{
    connection_id?: string | string[];
    error?: string | string[];
    ext_instance_url?: string | string[];
  }>;
}

const NO_REASON = "Salesforce sent you back without a connection. Try again, or connect with an access token.";

export default async function ConnectPage({ searchParams }: Props) {
  const { connection_id, error, ext_instance_url } = await searchParams;
  await requireSession("/migration/new");
  const memory = error ? recallForm("/migration/new", (await cookies()).get(FORM_COOKIE)?.value) : null;
  return (
    <ConnectStep
      instanceUrl={[ext_instance_url].flat()[0] ?? ""}
      connectionId={[connection_id].flat()[0] ?? null}
      canSignIn={env.SALESFORCE_CLIENT_ID !== undefined}
      refusal={memory && { code: [error].flat()[0] ?? "", sentence: memory.faults["connection"] ?? NO_REASON }}
    />
  );
}
