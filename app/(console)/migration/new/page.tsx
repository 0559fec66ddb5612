import { cookies } from "next/headers";

import { FORM_COOKIE, recallForm } from "@/app/form-memory";
import { addressOf, queryOf, type SearchParams } from "@/app/page-address";
import { requireSession } from "@/app/session";
import { ConnectStep } from "@/components/migration/connect/connect-step";
import { env } from "@/lib/env";

export const metadata = { title: "Connect" };

/**
 * `connection_id` and `error` are set on the return from Salesforce; `ext_instance_url` by a page that wants the same
 * org connected again.
 */
interface Props {
  searchParams: SearchParams;
}

const NO_REASON = "Salesforce sent you back without a connection. Try again, or connect with an access token.";

export default async function ConnectPage({ searchParams }: Props) {
  const query = await queryOf(searchParams);
  const error = query.get("error");
  await requireSession(await addressOf("/migration/new", searchParams));
  const memory = error ? recallForm("/migration/new", (await cookies()).get(FORM_COOKIE)?.value) : null;
  return (
    <ConnectStep
      instanceUrl={query.get("ext_instance_url") ?? ""}
      connectionId={query.get("connection_id")}
      canSignIn={env.SALESFORCE_CLIENT_ID !== undefined}
      refusal={memory && { code: error ?? "", sentence: memory.faults["connection"] ?? NO_REASON }}
    />
  );
}
