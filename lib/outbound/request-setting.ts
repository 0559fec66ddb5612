import type { Dispatcher } from "undici";

import { outboundRequest } from "@/lib/outbound/outbound-fetch";

/** Calls an address that is a setting of the service, not a user's: it may be one of the private network. */
export function requestSetting(
  url: string,
  init: Parameters<typeof outboundRequest>[1],
): Promise<Dispatcher.ResponseData> {
  return outboundRequest(url, init, true);
}
