import { TriangleAlertIcon, CircleIcon, CircleCheckIcon, LoaderCircleIcon, PauseIcon } from "lucide-react";
import type { ReactNode } from "react";

import type { ObjectProgress } from "@/lib/migration/migration-schema";

const ICON = { size: 18, strokeWidth: 1.8, "aria-hidden": true } as const;

/** The status of an object in a run, in words beside its icon. */
export const OBJECT_STATUSES: Record<ObjectProgress["status"] | "paused", { label: string; icon: ReactNode }> = {
  pending: { label: "waiting", icon: <CircleIcon {...ICON} /> },
  running: { label: "importing", icon: <LoaderCircleIcon {...ICON} /> },
  done: { label: "done", icon: <CircleCheckIcon {...ICON} /> },
  failed: { label: "stopped", icon: <TriangleAlertIcon {...ICON} /> },
  paused: { label: "paused", icon: <PauseIcon {...ICON} /> },
};

/** Of an object whose records are all read: what remains is to link and to count them. */
export const FINISHING = "finishing";
