"use client";

import { Paper } from "@mantine/core";
import { useState } from "react";

import { CreatedClient } from "@/components/settings/api/created-client";
import { CreateClient } from "@/components/settings/api/form/create-client";
import classes from "@/components/ui/form/measure.module.css";
import { Page } from "@/components/ui/layout/page";
import type { OauthClientWithSecret } from "@/lib/oauth/clients/client-schema";

/** A form for a new client; afterwards its secret, shown once. `service` is the origin in the example. */
export function NewClient({ service }: { service: string }) {
  const [created, setCreated] = useState<OauthClientWithSecret | null>(null);
  if (created) return <CreatedClient client={created} service={service} />;
  return (
    <Page
      title="Create an API client"
      lead="For a program that can keep a secret, such as a server."
      parent={{ href: "/settings/api", name: "API clients" }}
    >
      <Paper withBorder p={{ base: "lg", sm: "xl" }} className={classes.form}>
        <CreateClient onCreated={setCreated} />
      </Paper>
    </Page>
  );
}
