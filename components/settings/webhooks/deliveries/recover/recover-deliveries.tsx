"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";

import { RecoverForm } from "@/components/settings/webhooks/deliveries/recover/recover-form";
import { Dialog } from "@/components/ui/overlay/dialog";
import type { Webhook } from "@/lib/webhooks/endpoints/webhook-schema";

/** A button and its dialog that send again what was not delivered. */
export function RecoverDeliveries({ webhook }: { webhook: Webhook }) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button variant="default" onClick={open}>
        Recover…
      </Button>
      <Dialog opened={isOpen} onClose={close} title="Recover what has not arrived">
        <RecoverForm webhook={webhook} onClose={close} />
      </Dialog>
    </>
  );
}
