import { oauthClientWithSecret } from "@/lib/oauth/client-schema";
import { findClientView } from "@/lib/oauth/client-view";
import { clientRegistration, registerClient } from "@/lib/oauth/register-client";
import { defineOperation } from "@/lib/operation";

export const createClient = defineOperation({
  name: "create_api_client",
  summary: "Create an API client. Its secret is in this answer and is never shown again.",
  scopes: [],
  people: "admins",
  input: clientRegistration,
  output: oauthClientWithSecret,
  async run(context, input) {
    const { id, client_secret } = await registerClient(context, input);
    return { ...(await findClientView(context.organizationId, id)), client_secret };
  },
});
