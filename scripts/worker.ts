import { refuseInvalidSettings } from "@/scripts/service/processes/refuse-invalid-settings";

// The rest of the worker reads the settings as soon as it is loaded.
await refuseInvalidSettings();
await import("@/scripts/service/worker");
