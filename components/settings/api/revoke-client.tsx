"use client";

import { RevokeForm } from "@/components/settings/api/revoke-form";
import { DangerSection } from "@/components/ui/overlay/danger-section";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** Revokes a client. */
export function RevokeClient({ client }: { client: OauthClient }) {
  return (
    <DangerSection
      title="Revoke this client"
      lead="For ever: its client secret and all its access tokens stop working with the next request."
      action="Revoke the client"
      verb="Revoke"
      name={client.name}
    >
      {(onCancel) => <RevokeForm client={client} onCancel={onCancel} />}
    </DangerSection>
  );
}
