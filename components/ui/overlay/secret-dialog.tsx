import type { ModalProps } from "@mantine/core";

import { Dialog } from "@/components/ui/overlay/dialog";

/**
 * A dialog that asks, and may then show a secret, once. A stray click does not close it: what was typed, or the secret,
 * would be lost. Nor does a key once it shows a secret, but only its buttons.
 */
export function SecretDialog({ showsSecret, ...props }: ModalProps & { showsSecret: boolean }) {
  return <Dialog {...props} closeOnClickOutside={false} closeOnEscape={!showsSecret} />;
}
