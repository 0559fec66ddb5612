import type { ModalProps } from "@mantine/core";
import { createContext, use, useEffect, useState } from "react";

import { onDemand } from "@/components/ui/overlay/on-demand";

const LoadedDialog = onDemand<ModalProps>(async () => (await import("@/components/ui/overlay/modal")).Modal);

const HoldContext = createContext<(isHeld: boolean) => void>(() => undefined);

/** Mantine's modal dialog, loaded when it is first opened. */
export function Dialog({ onClose, ...props }: ModalProps) {
  const [isHeld, hold] = useState(false);
  return (
    <HoldContext value={hold}>
      <LoadedDialog {...props} onClose={() => !isHeld && onClose()} />
    </HoldContext>
  );
}

/**
 * Keeps the dialog around it open while something is under way that the reader has confirmed there: closing would look
 * as if it were not done, and nobody would see what became of it.
 */
export function useHeldOpen(isUnderWay: boolean): void {
  const hold = use(HoldContext);
  useEffect(() => {
    hold(isUnderWay);
    return () => hold(false);
  }, [hold, isUnderWay]);
}
