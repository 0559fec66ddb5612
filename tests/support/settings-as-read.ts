import { env } from "@/lib/env";

/**
 * The settings at the start of the process, whatever a suite has set since. A module of its own, because
 * `suite-database.ts` runs again before each suite, and this one runs once.
 */
export const settingsAsRead = { ...env };
