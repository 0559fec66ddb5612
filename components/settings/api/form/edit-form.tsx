"use client";

import { Button, Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useId } from "react";

import { Problem } from "@/components/api/problem";
import { Announcement } from "@/components/ui/feedback/announcement";
import { ProblemAlert } from "@/components/ui/feedback/problem-alert";
import { ChangedMeanwhile } from "@/components/settings/api/form/changed-meanwhile";
import { type ClientValues, faultsByField, uriRow } from "@/components/settings/api/form/client-values";
import { showFaults } from "@/components/ui/form/show-faults";
import { NameField } from "@/components/settings/api/form/name-field";
import { RedirectUriFields } from "@/components/settings/api/form/redirect-uri-fields";
import { useUpdateClient } from "@/components/settings/api/form/use-update-client";
import classes from "@/components/ui/form/measure.module.css";
import { Section } from "@/components/ui/layout/section";
import type { OauthClient } from "@/lib/oauth/clients/client-schema";

const NOTE = "When you remove one, codes that are on their way to it no longer work; access tokens go on working.";

/** Changes a client's name and redirect URIs. Only what the reader has changed is sent. */
export function EditForm({ client }: { client: OauthClient }) {
  const formId = useId();
  const form = useForm<ClientValues>({ initialValues: valuesOf(client) });
  const { update, changes, known, learn } = useUpdateClient(client, form.values);
  const show = (shown: OauthClient) => form.setValues(valuesOf(shown));
  const save = () =>
    update.mutate(changes, {
      onSuccess: show,
      onError: (error) => showFaults(form, formId, faultsByField(error)),
    });
  const discard = () => {
    update.reset();
    form.clearErrors();
    show(known);
  };
  const isChanged = Object.keys(changes).length > 0;
  return (
    <Section title="Name and redirect URIs">
      <form id={formId} onSubmit={form.onSubmit(save)} noValidate className={classes.form}>
        <Stack gap="lg">
          <Refusal error={update.error} known={known} onRead={learn} onDiscard={discard} />
          <NameField form={form} />
          <RedirectUriFields form={form} note={NOTE} />
          <Group justify="flex-end">
            {isChanged && (
              <Button variant="default" onClick={discard}>
                Discard changes
              </Button>
            )}
            <Button type="submit" loading={update.isPending} disabled={!isChanged}>
              Save changes
            </Button>
          </Group>
          <Announcement>{update.isSuccess && !isChanged && "Saved."}</Announcement>
        </Stack>
      </form>
    </Section>
  );
}

interface RefusalProps {
  error: Error | null;
  known: OauthClient;
  onRead: (now: OauthClient) => void;
  onDiscard: () => void;
}

/** What the API refused, unless it is said at the fields. */
function Refusal({ error, ...rest }: RefusalProps) {
  if (!error || faultsByField(error)) return null;
  if (error instanceof Problem && error.code === "precondition_failed") return <ChangedMeanwhile {...rest} />;
  return <ProblemAlert error={error} takesFocus />;
}

function valuesOf({ name, redirect_uris, scopes }: OauthClient): ClientValues {
  return { name, redirect_uris: redirect_uris.map(uriRow), scopes };
}
