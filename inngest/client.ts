import { Inngest } from "inngest";

import { engineFetch } from "@/inngest/engine/fetch";
import { usesInngestServer } from "@/lib/env";
import { log } from "@/lib/log";

const APP_ID = "crm";

/** On the embedded engine nothing goes over the network: its `fetch` writes to PostgreSQL. */
const EMBEDDED = { isDev: true, baseUrl: "http://embedded.invalid/", fetch: engineFetch };

/** The one Inngest client: events are sent with it and functions are created with it, whichever engine runs them. */
export const inngest = new Inngest({ id: APP_ID, logger: log, aiMetadata: false, ...(usesInngestServer ? {} : EMBEDDED) });
