import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useEffect, useEffectEvent } from "react";

import { useLeaveWarning } from "@/components/records/form/use-leave-warning";
import { useDialog } from "@/components/ui/form/use-dialog";

interface LeaveDialogProps {
  isUnsaved: boolean;
  /** Goes to a page of ours. */
  onLeave: (href: string) => void;
}

/** Asks before the reader leaves a page with unsaved changes: by a link, or by closing it. */
export function LeaveDialog({ isUnsaved, onLeave }: LeaveDialogProps) {
  const { subject, isOpen, open, close } = useDialog<string>();
  useLeaveWarning(isUnsaved);
  useLinkGuard(isUnsaved, open);
  return (
    <Modal opened={isOpen} onClose={close} title="Leave without saving?">
      <Stack>
        <Text size="sm">Your changes to the configuration are not saved. They are lost if you leave now.</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close} data-autofocus>
            Stay here
          </Button>
          <Button
            color="rust"
            onClick={() => {
              close();
              if (subject !== null) onLeave(subject);
            }}
          >
            Leave without saving
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/**
 * Catches clicks on links to other pages of ours, before the router sees them: it has no event of its own for leaving.
 */
function useLinkGuard(isGuarding: boolean, onCaught: (href: string) => void): void {
  const caught = useEffectEvent(onCaught);
  useEffect(() => {
    if (!isGuarding) return;
    const guard = (event: MouseEvent) => {
      const href = leadsAway(event);
      if (href === null) return;
      event.preventDefault();
      event.stopPropagation();
      caught(href);
    };
    window.addEventListener("click", guard, { capture: true });
    return () => window.removeEventListener("click", guard, { capture: true });
  }, [isGuarding]);
}

/** The page of ours that a click leads to in this tab; null if it stays here, or downloads something. */
function leadsAway(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !isPlain(event) || link.target === "_blank" || link.hasAttribute("download")) return null;
  const { origin, pathname, search } = new URL(link.href);
  const isOurs = origin === window.location.origin && !pathname.startsWith("/api/");
  return isOurs && pathname !== window.location.pathname ? pathname + search : null;
}

/** Other clicks open a tab or a menu, and leave this page as it is. */
function isPlain({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && ![metaKey, ctrlKey, shiftKey, altKey].includes(true);
}
