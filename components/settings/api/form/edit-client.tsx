"use client";

import { useQueryClient } from "@tanstack/react-query";

import { sendJson } from "@/components/api/request";
import { type ClientValues, faultsOf, newUriRow, urisOf } from "@/components/settings/api/form/client-values";
import { NameField } from "@/components/settings/api/form/name-field";
import { RedirectUriFields } from "@/components/settings/api/form/redirect-uri-fields";
import { cacheClient, clientPath, clientQuery } from "@/components/settings/api/use-clients";
import { EditShell } from "@/components/ui/form/edit-shell";
import { useEditForm } from "@/components/ui/form/use-edit-form";
import { Section } from "@/components/ui/layout/section";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

type Changes = Partial<Pick<OauthClient, "name" | "redirect_uris">>;

/** Changes a client's name and redirect URIs. */
export function EditClient({ client }: { client: OauthClient }) {
  const queries = useQueryClient();
  const edit = useEditForm<OauthClient, ClientValues, Changes>({
    item: client,
    valuesOf,
    changesOf,
    faultsOf,
    save: async (changes, version) => {
      const saved = await sendJson<OauthClient>("PATCH", clientPath(client.id), changes, version);
      await cacheClient(queries, saved);
      return saved;
    },
  });
  return (
    <Section title="Name and redirect URIs">
      <EditShell edit={edit} noun="client" query={clientQuery(client.id)} differences={differences} isNarrow>
        <NameField form={edit.form} />
        <RedirectUriFields
          form={edit.form}
          note={"When you remove one, codes that are on their way to it no longer work; access tokens go on working."}
        />
      </EditShell>
    </Section>
  );
}

function valuesOf({ name, redirect_uris, scopes }: OauthClient): ClientValues {
  return { name, redirect_uris: redirect_uris.map((uri) => newUriRow(uri)), scopes };
}

function changesOf(client: OauthClient, values: ClientValues): Changes {
  const [name, redirect_uris] = [values.name.trim(), urisOf(values)];
  return {
    ...(name !== client.name && { name }),
    ...(JSON.stringify(redirect_uris) !== JSON.stringify(client.redirect_uris) && { redirect_uris }),
  };
}

function differences(before: OauthClient, now: OauthClient): string[] {
  return [
    ...(now.name === before.name ? [] : [`The name is now ${now.name}.`]),
    ...(now.redirect_uris.join() === before.redirect_uris.join()
      ? []
      : [`The redirect URIs are now ${now.redirect_uris.join(", ")}.`]),
  ];
}
