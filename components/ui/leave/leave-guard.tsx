import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useState } from "react";

import { useDialog } from "@/components/ui/form/use-dialog";
import { onDemand } from "@/components/ui/overlay/on-demand";
import { type Leave, useLeaveGuard } from "@/components/ui/leave/use-leave-guard";

const LeaveDialog = onDemand(async () => (await import("@/components/ui/leave/leave-dialog")).LeaveDialog);

interface LeaveGuardProps {
  isUnsaved: boolean;
  /** What would be lost: "Your changes to the configuration". */
  what: string;
}

/** Asks before the reader leaves a page with unsaved input, whichever way they go. */
export function LeaveGuard({ isUnsaved, what }: LeaveGuardProps) {
  const router = useRouter();
  const { subject, isOpen, open, close } = useDialog<Leave>();
  const [leaving, setLeaving] = useState<Leave | null>(null);
  useLeaveGuard(isUnsaved && leaving === null, open);
  const go = useEffectEvent((leave: Leave) => ("href" in leave ? router.push(leave.href) : leave.go()));
  // Once nothing guards the page any more.
  useEffect(() => {
    if (leaving !== null) go(leaving);
  }, [leaving]);
  const leave = () => {
    close();
    setLeaving(subject);
  };
  return <LeaveDialog opened={isOpen} what={what} onClose={close} onLeave={leave} />;
}
