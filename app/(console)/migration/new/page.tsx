import { cookies } from "next/headers";

import { FORM_COOKIE, recallForm } from "@/app/form-memory";
import { Prefetched, type PageQuery } from "@/app/prefetched";
import { addressOf, queryOf, type SearchParams } from "@/app/page-address";
import { requireSession } from "@/app/session";
import { queryKeys } from "@/components/api/query-keys";
import { ConnectStep } from "@/components/migration/connect/connect-step";
import { env } from "@/lib/env";
import { listConnections } from "@/lib/migration/connections/connected-orgs";

export const metadata = { title: "Connect" };

/**
 * `connection_id` and `error` are set on the return from Salesforce; `ext_instance_url` by a page that wants the same
 * org connected again, with `use=connection` if the access that is there will do.
 */
interface Props {
  searchParams: SearchParams;
}

/** Among them may be that of the org that is wanted again. */
const CONNECTIONS: PageQuery = {
  key: queryKeys.connections(),
  operation: listConnections,
  input: {},
  list: "pages",
};

const NO_REASON = "Salesforce sent you back without a connection. Try again, or connect with an access token.";

export default async function ConnectPage({ searchParams }: Props) {
  const query = await queryOf(searchParams);
  const error = query.get("error");
  const context = await requireSession(await addressOf("/migration/new", searchParams));
  const instanceUrl = query.get("ext_instance_url") ?? "";
  const offersConnection = query.get("use") === "connection";
  const memory = error ? recallForm("/migration/new", (await cookies()).get(FORM_COOKIE)?.value) : null;
  return (
    <Prefetched context={context} queries={offersConnection ? [CONNECTIONS] : []}>
      <ConnectStep
        instanceUrl={instanceUrl}
        offersConnection={offersConnection}
        connectionId={query.get("connection_id")}
        canSignIn={env.SALESFORCE_CLIENT_ID !== undefined}
        refusal={memory && { code: error ?? "", sentence: memory.faults["connection"] ?? NO_REASON }}
      />
    </Prefetched>
  );
}
