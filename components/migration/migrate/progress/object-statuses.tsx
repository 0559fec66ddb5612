import { IconAlertTriangle, IconCircle, IconCircleCheck, IconLoader2, IconPlayerPause } from "@tabler/icons-react";
import type { ReactNode } from "react";

import type { ObjectProgress } from "@/lib/migration/migration-schema";

const ICON = { size: 18, stroke: 1.8, "aria-hidden": true } as const;

/** The status of an object in a run, in words beside its icon. */
export const OBJECT_STATUSES: Record<ObjectProgress["status"] | "paused", { label: string; icon: ReactNode }> = {
  pending: { label: "waiting", icon: <IconCircle {...ICON} /> },
  running: { label: "importing", icon: <IconLoader2 {...ICON} /> },
  done: { label: "done", icon: <IconCircleCheck {...ICON} /> },
  failed: { label: "stopped", icon: <IconAlertTriangle {...ICON} /> },
  paused: { label: "paused", icon: <IconPlayerPause {...ICON} /> },
};

/** The word for an object whose records are all read: what remains is to link and to count them. */
export const FINISHING = "finishing";
