import { Button, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";

import { loadedLater } from "@/components/ui/feedback/loaded-later";
import { Section } from "@/components/ui/layout/section";
import { Dialog } from "@/components/ui/overlay/dialog";

const DeleteForm = loadedLater(async () => (await import("@/components/settings/organization/delete-form")).DeleteForm);

/** Deletes the organization. */
export function DeleteOrganization({ name }: { name: string }) {
  const [isOpen, { open, close }] = useDisclosure();
  const [isDeleted, setIsDeleted] = useState(false);
  return (
    <>
      <Section
        title="Delete this organization"
        lead="For good: everybody is signed out, apps and webhooks stop at once, and all data is erased."
        action={
          <Button color="rust" variant="light" onClick={open}>
            Delete the organization
          </Button>
        }
      />
      <Dialog
        opened={isOpen}
        onClose={close}
        size="lg"
        // Nothing behind it works any more.
        withCloseButton={!isDeleted}
        closeOnClickOutside={!isDeleted}
        closeOnEscape={!isDeleted}
        title={
          <>
            {isDeleted ? "Deleted: " : "Delete "}“<bdi>{name}</bdi>”{!isDeleted && "?"}
          </>
        }
      >
        {isDeleted ? <Deleted /> : <DeleteForm name={name} onCancel={close} onDeleted={() => setIsDeleted(true)} />}
      </Dialog>
    </>
  );
}

function Deleted() {
  return (
    <Stack>
      <Text size="sm">Everybody is signed out, you as well. The data is being erased, which may take a while.</Text>
      <Button component="a" href="/sign-in">
        Leave this page
      </Button>
    </Stack>
  );
}
