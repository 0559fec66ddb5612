import { env } from "@/lib/env";

/** The settings at the start of the process, whatever a suite has set since. */
export const settingsAsRead = { ...env };
