"use client";

import { Button, Modal } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { RecoverForm } from "@/components/settings/webhooks/deliveries/recover/recover-form";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** A button and its dialog that send again what was not delivered. */
export function RecoverDeliveries({ webhook }: { webhook: Webhook }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Recover …
      </Button>
      <Modal opened={isOpen} onClose={close} title="Recover what has not arrived">
        <RecoverForm webhook={webhook} onClose={close} />
      </Modal>
    </>
  );
}
