"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { DeleteForm } from "@/components/settings/webhooks/manage/delete-form";
import { nameOf } from "@/components/settings/webhooks/webhook";
import { Section } from "@/components/ui/layout/section";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** Deletes a webhook. */
export function DeleteWebhook({ webhook }: { webhook: Webhook }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Section
        title="Delete this webhook"
        lead="For ever, with its secret and the log of its deliveries. To stop it for a while, switch it off instead."
        action={
          <Button color="rust" variant="light" onClick={open}>
            Delete the webhook
          </Button>
        }
      />
      <Dialog
        opened={isOpen}
        onClose={close}
        title={
          <>
            Delete “<bdi>{nameOf(webhook)}</bdi>”?
          </>
        }
      >
        <DeleteForm webhook={webhook} onCancel={close} />
      </Dialog>
    </>
  );
}
