import { clientAddress } from "@/lib/http/client-address";
import { browserName } from "@/lib/sessions/browser-name";
import type { Visit } from "@/lib/sessions/start-session";

/** Where a request comes from, as sessions keep it. */
export function visitOf(headers: Headers): Visit {
  return { address: clientAddress(headers), browser: browserName(headers.get("user-agent")) };
}
