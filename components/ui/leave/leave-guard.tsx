import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent } from "react";

import { useDialog } from "@/components/ui/overlay/use-dialog";
import { guardLeaving, type Leave, stopGuarding } from "@/components/ui/leave/leaving";
import { onDemand } from "@/components/ui/overlay/on-demand";

const LeaveDialog = onDemand(async () => (await import("@/components/ui/leave/leave-dialog")).LeaveDialog);

interface LeaveGuardProps {
  isUnsaved: boolean;
  /** What would be lost: "Your changes to the configuration". */
  what: string;
}

interface Question {
  leave: Leave;
  /** What would be lost, here and in other forms of the page. */
  lost: string;
}

/** Asks before the reader leaves a page with unsaved input, whichever way they go. A page can have several. */
export function LeaveGuard({ isUnsaved, what }: LeaveGuardProps) {
  const router = useRouter();
  const { subject, isOpen, open, close } = useDialog<Question>();
  const ask = useEffectEvent((leave: Leave, lost: string) => open({ leave, lost }));
  useEffect(() => {
    if (!isUnsaved) return;
    return guardLeaving({ what, ask: (leave, lost) => ask(leave, lost) });
  }, [isUnsaved, what]);
  const leave = () => {
    close();
    if (!subject) return;
    stopGuarding();
    if ("href" in subject.leave) router.push(subject.leave.href);
    else subject.leave.go();
  };
  return <LeaveDialog opened={isOpen} what={subject?.lost ?? what} onClose={close} onLeave={leave} />;
}
