import type { ModalProps } from "@mantine/core";

import { onDemand } from "@/components/ui/overlay/on-demand";

/** Mantine's modal dialog, loaded when it is first opened. */
export const Dialog = onDemand<ModalProps>(async () => (await import("@/components/ui/overlay/modal")).Modal);
