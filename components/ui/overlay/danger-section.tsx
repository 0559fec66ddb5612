"use client";

import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";

import { Section } from "@/components/ui/layout/section";
import { Dialog } from "@/components/ui/overlay/dialog";

interface DangerSectionProps {
  title: string;
  /** What is lost, in a sentence. */
  lead: string;
  /** On the button that opens the dialog. */
  action: string;
  /** The verb that makes, with the name, the question of the dialog: "Delete “Warehouse”?" */
  verb: string;
  /** The name of what is ended. */
  name: string;
  /** The content of the dialog, which asks before it ends it: `ConfirmByTyping`. */
  children: (onCancel: () => void) => ReactNode;
}

/** The last part of a thing's page: a button that ends it for ever, once a dialog has asked. */
export function DangerSection({ title, lead, action, verb, name, children }: DangerSectionProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Section
        title={title}
        lead={lead}
        action={
          <Button color="rust" variant="light" onClick={open}>
            {action}
          </Button>
        }
      />
      <Dialog
        opened={isOpen}
        onClose={close}
        title={
          <>
            {verb} “<bdi>{name}</bdi>”?
          </>
        }
      >
        {children(close)}
      </Dialog>
    </>
  );
}
