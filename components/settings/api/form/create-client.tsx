"use client";

import { useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { type ClientValues, faultsOf, newUriRow, urisOf } from "@/components/settings/api/form/client-values";
import { NameField } from "@/components/settings/api/form/name-field";
import { RedirectUriFields } from "@/components/settings/api/form/redirect-uri-fields";
import { ScopeFields } from "@/components/settings/api/form/scope-fields";
import { cacheClient } from "@/components/settings/api/use-clients";
import { CreateShell } from "@/components/ui/form/create-shell";
import { useApiForm } from "@/components/ui/form/use-api-form";
import type { OauthClientWithSecret } from "@/lib/oauth/clients/client-schema";

/** Registers a client. */
export function CreateClient({ onCreated }: { onCreated: (client: OauthClientWithSecret) => void }) {
  const queries = useQueryClient();
  const create = useApiForm<ClientValues, OauthClientWithSecret>({
    initialValues: { name: "", redirect_uris: [newUriRow()], scopes: ["crm:read"] },
    faultsOf,
    send: (values) => sendJson<OauthClientWithSecret>("POST", "/settings/clients", bodyOf(values)),
    onSent: async (client) => {
      await cacheClient(queries, client);
      onCreated(client);
    },
  });
  return (
    <CreateShell create={create} action="Create client" back="/settings/api">
      <NameField form={create.form} />
      <RedirectUriFields form={create.form} />
      <ScopeFields form={create.form} />
    </CreateShell>
  );
}

/** `crm:write` includes `crm:read`. */
function bodyOf(values: ClientValues) {
  const scopes = values.scopes.filter((scope) => scope !== "crm:read" || !values.scopes.includes("crm:write"));
  return { name: values.name, redirect_uris: urisOf(values), scopes };
}
