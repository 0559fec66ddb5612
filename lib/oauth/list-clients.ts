import { z } from "zod";

import { oauthClient } from "@/lib/oauth/client-schema";
import { findClientViews } from "@/lib/oauth/client-view";
import { defineOperation } from "@/lib/operation";
import { cutPage, pageInput, pageOutput } from "@/lib/page";

export const listClients = defineOperation({
  name: "list_api_clients",
  summary: "List the organization's API clients, newest first.",
  scopes: [],
  people: "admins",
  input: z.strictObject(pageInput),
  output: pageOutput(oauthClient),
  async run(context, { limit, cursor }) {
    return cutPage(await findClientViews(context.organizationId, cursor, limit + 1), limit, ({ id }) => id);
  },
});
