import { Inngest } from "inngest";

import { engineFetch } from "@/inngest/engine/fetch";
import { env, usesInngestServer } from "@/lib/env";
import { namesDevServer } from "@/lib/inngest-server";
import { log } from "@/lib/log";

const APP_ID = "crm";

/** On the embedded engine nothing goes over the network: its `fetch` writes to PostgreSQL. */
const EMBEDDED = { isDev: true, baseUrl: "http://embedded.invalid/", fetch: engineFetch };

/** Whether signatures are asked for is said here, since the SDK would also take it from variables of other names (NEXT_PUBLIC_INNGEST_DEV). */
const SERVER = { isDev: namesDevServer(env) };

/** The one Inngest client: events are sent with it and functions are created with it, whichever engine runs them. */
export const inngest = new Inngest({ id: APP_ID, logger: log, aiMetadata: false, ...(usesInngestServer ? SERVER : EMBEDDED) });
