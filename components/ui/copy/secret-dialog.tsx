import type { ModalProps } from "@mantine/core";

import { Dialog } from "@/components/ui/overlay/dialog";

/** A dialog that may show a secret, once: from then on only its buttons close it, not a stray click or key. */
export function SecretDialog({ showsSecret, ...props }: ModalProps & { showsSecret: boolean }) {
  return <Dialog {...props} closeOnClickOutside={!showsSecret} closeOnEscape={!showsSecret} />;
}
