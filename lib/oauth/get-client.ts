import { z } from "zod";

import { pathId } from "@/lib/id-input";
import { oauthClient } from "@/lib/oauth/client-schema";
import { findClientView } from "@/lib/oauth/client-view";
import { defineOperation } from "@/lib/operation";

export const getClient = defineOperation({
  name: "get_api_client",
  summary: "One API client.",
  scopes: [],
  people: "admins",
  input: z.strictObject({ id: pathId("API client") }),
  output: oauthClient,
  run: (context, { id }) => findClientView(context.organizationId, id),
});
