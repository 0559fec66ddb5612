import { type Client, findClient } from "@/lib/oauth/find-client";
import type { Parameters } from "@/lib/oauth/parameters";
import { UnsafeRedirect } from "@/lib/oauth/unsafe-redirect";

/** The request names one client that we know (RFC 6749 §4.1.1). Without it there is nowhere to redirect to. */
export async function checkClient(parameters: Parameters): Promise<Client> {
  if (parameters.isRepeated("client_id")) throw new UnsafeRedirect("The link names more than one app.", "client_id is included more than once.");
  const clientId = parameters.get("client_id");
  if (!clientId) throw new UnsafeRedirect("The link does not say which app it comes from.", "client_id is missing.");
  const client = await findClient(clientId);
  if (!client) {
    const forDeveloper = "No API client has this client_id, or it has been revoked.";
    throw new UnsafeRedirect("The app that the link comes from is not known here, or an admin has ended its access.", forDeveloper);
  }
  return client;
}
