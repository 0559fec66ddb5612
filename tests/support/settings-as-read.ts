import { env } from "@/lib/env";

/** The settings as the process began with them, whatever a suite has set since. */
export const settingsAsRead = { ...env };
