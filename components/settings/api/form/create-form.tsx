"use client";

import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId } from "react";

import { sendJson } from "@/components/api/request";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { type ClientValues, faultsByField, uriRow, urisOf } from "@/components/settings/api/form/client-values";
import { showFaults } from "@/components/ui/form/show-faults";
import { NameField } from "@/components/settings/api/form/name-field";
import { RedirectUriFields } from "@/components/settings/api/form/redirect-uri-fields";
import { ScopeFields } from "@/components/settings/api/form/scope-fields";
import { keepClient } from "@/components/settings/api/use-clients";
import { LinkButton } from "@/components/ui/text/link-button";
import { oauthClient, type OauthClientWithSecret, oauthClientWithSecret } from "@/lib/oauth/clients/client-schema";

/** Registers a client. What is valid is the API's to say: its faults are shown at their fields. */
export function CreateForm({ onCreated }: { onCreated: (client: OauthClientWithSecret) => void }) {
  const queries = useQueryClient();
  const formId = useId();
  const form = useForm<ClientValues>({ initialValues: { name: "", redirect_uris: [uriRow()], scopes: ["crm:read"] } });
  const create = useMutation({
    mutationFn: (values: ClientValues) => {
      const scopes = values.scopes.filter((scope) => scope !== "crm:read" || !values.scopes.includes("crm:write"));
      return sendJson(
        "POST",
        "/settings/clients",
        { name: values.name, redirect_uris: urisOf(values), scopes },
        oauthClientWithSecret,
      );
    },
    onSuccess: (client) => {
      keepClient(queries, oauthClient.parse(client));
      onCreated(client);
    },
    onError: (error) => showFaults(form, formId, faultsByField(error)),
  });
  return (
    <form id={formId} onSubmit={form.onSubmit((values) => create.mutate(values))} noValidate>
      <Stack gap="lg">
        {create.isError && !faultsByField(create.error) && <ProblemAlert error={create.error} takesFocus />}
        <NameField form={form} />
        <RedirectUriFields form={form} />
        <ScopeFields form={form} />
        <Group justify="flex-end">
          <LinkButton href="/settings/api" variant="default">
            Cancel
          </LinkButton>
          <Button type="submit" loading={create.isPending}>
            Create client
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
