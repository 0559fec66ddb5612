import type { ModalProps } from "@mantine/core";
import { createContext, use, useLayoutEffect, useState } from "react";

import { onDemand } from "@/components/ui/overlay/on-demand";

const LoadedDialog = onDemand<ModalProps>(async () => (await import("@/components/ui/overlay/modal")).Modal);

/** How something in a dialog keeps it open: against every way to close it, or only against those by accident. */
type Hold = "under way" | "begun" | null;

const HoldContext = createContext<(hold: Hold) => void>(() => undefined);

/** Mantine's modal dialog, loaded when it is first opened. */
export function Dialog({ onClose, closeOnClickOutside = true, closeOnEscape = true, ...props }: ModalProps) {
  const [held, hold] = useState<Hold>(null);
  return (
    <HoldContext value={hold}>
      <LoadedDialog
        {...props}
        closeOnClickOutside={closeOnClickOutside && held === null}
        closeOnEscape={closeOnEscape && held === null}
        onClose={() => held !== "under way" && onClose()}
      />
    </HoldContext>
  );
}

/**
 * Keeps the dialog around it open while something is under way that the reader has confirmed there: closing would look
 * as if it were not done, and nobody would see what became of it. While input is begun, only its buttons close it: a
 * stray key or click would throw the input away.
 */
export function useHeldOpen(isUnderWay: boolean, isBegun = false): void {
  const hold = use(HoldContext);
  const held = isUnderWay ? "under way" : isBegun ? "begun" : null;
  // Before the next key: the one after the first letter may be Escape.
  useLayoutEffect(() => {
    hold(held);
    return () => hold(null);
  }, [hold, held]);
}
