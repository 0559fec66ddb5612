import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { sendJson } from "@/components/api/request";
import { type ClientValues, urisOf } from "@/components/settings/api/form/client-values";
import { clientPath, keepClient } from "@/components/settings/api/use-clients";
import { type OauthClient, oauthClient } from "@/lib/oauth/clients/client-schema";

type Changes = Partial<Pick<OauthClient, "name" | "redirect_uris">>;

/**
 * Sends what the reader has changed, for the version that they last saw (`known`), so that the API can refuse to undo
 * somebody else's change. `learn` takes the client as it is now; after that, sending again replaces it.
 */
export function useUpdateClient(client: OauthClient, values: ClientValues) {
  const queries = useQueryClient();
  const [known, learn] = useState(client);
  const update = useMutation({
    mutationFn: (changes: Changes) => sendJson("PATCH", clientPath(client.id), changes, oauthClient, known.version),
    onSuccess: (updated) => {
      learn(updated);
      keepClient(queries, updated);
    },
  });
  return { update, changes: changesOf(known, values), known, learn };
}

function changesOf(known: OauthClient, values: ClientValues): Changes {
  const [name, redirect_uris] = [values.name.trim(), urisOf(values)];
  return {
    ...(name !== known.name && { name }),
    ...(JSON.stringify(redirect_uris) !== JSON.stringify(known.redirect_uris) && { redirect_uris }),
  };
}
