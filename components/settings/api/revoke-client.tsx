"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { RevokeForm } from "@/components/settings/api/revoke-form";
import { Section } from "@/components/ui/layout/section";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

/** Revokes a client. */
export function RevokeClient({ client }: { client: OauthClient }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Section
        title="Revoke this client"
        lead="For ever: its client secret and all its access tokens stop working with the next request."
        action={
          <Button color="rust" variant="light" onClick={open}>
            Revoke the client
          </Button>
        }
      />
      <Dialog
        opened={isOpen}
        onClose={close}
        title={
          <>
            Revoke “<bdi>{client.name}</bdi>”?
          </>
        }
      >
        <RevokeForm client={client} onCancel={close} />
      </Dialog>
    </>
  );
}
