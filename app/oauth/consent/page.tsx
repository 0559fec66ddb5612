import { Stack, Text, Title } from "@mantine/core";
import type { Metadata } from "next";

import { NOTHING_TO_DECIDE } from "@/app/oauth/nothing-to-decide";
import { requirePerson } from "@/app/session";
import { AccountFrame } from "@/components/account/account-frame";
import { ConsentForm } from "@/components/account/consent-form";
import { consentToken } from "@/lib/oauth/authorization/consent";
import { findPendingRequest } from "@/lib/oauth/authorization/pending-requests";
import { describeScopes } from "@/lib/oauth/scopes";

export const metadata: Metadata = { title: "Allow access" };

interface ConsentPageProps {
  searchParams: Promise<{ request?: string | string[] }>;
}

/** Asks the signed-in person whether a client may have the access that it requested. */
export default async function ConsentPage({ searchParams }: ConsentPageProps) {
  const requestId = [(await searchParams).request ?? ""].flat()[0] ?? "";
  const session = await requirePerson(`/oauth/consent?request=${encodeURIComponent(requestId)}`);
  const pending = await findPendingRequest(requestId, session.id);
  if (!pending) return <NothingToDecide />;
  return (
    <AccountFrame>
      <ConsentForm
        requestId={requestId}
        token={consentToken(session.id, requestId)}
        clientName={pending.clientName}
        redirectHost={new URL(pending.redirectUri).host}
        permissions={describeScopes(pending.scopes, pending.role)}
        scopes={pending.scopes}
        person={{ email: session.user_email, organization: pending.organizationName }}
      />
    </AccountFrame>
  );
}

function NothingToDecide() {
  return (
    <AccountFrame>
      <Stack>
        <Title order={1}>{NOTHING_TO_DECIDE.title}</Title>
        <Text>{NOTHING_TO_DECIDE.text}</Text>
      </Stack>
    </AccountFrame>
  );
}
