"use client";

import { Alert, Paper, Tabs } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";

import { Page } from "@/components/ui/layout/page";
import { ConnectHelp } from "@/components/migration/connect/connect-help";
import { ConnectedAlready } from "@/components/migration/connect/connected-already";
import classes from "@/components/migration/connect/connect-step.module.css";
import { ConnectionReturned, type Refusal } from "@/components/migration/connect/connection-returned";
import { OauthForm } from "@/components/migration/connect/oauth-form";
import { TokenForm } from "@/components/migration/connect/token-form";
import { TextLink } from "@/components/ui/text/links";
import { WizardSteps } from "@/components/migration/wizard/wizard-steps";

interface ConnectStepProps {
  instanceUrl: string;
  /** Whether the access that this service has to the org will do. */
  offersConnection: boolean;
  /** The id of a connection that a sign-in at Salesforce has just made. */
  connectionId: string | null;
  /** Why a sign-in at Salesforce made no connection. */
  refusal: Refusal | null;
  /** Whether whoever runs this service has registered it at Salesforce. */
  canSignIn: boolean;
}

/** Step one: connects the org. */
export function ConnectStep({ instanceUrl, offersConnection, connectionId, refusal, canSignIn }: ConnectStepProps) {
  return (
    <Page
      title="Connect a Salesforce org"
      lead="The next step only reads and counts. Nothing is migrated before you have seen the report."
      parent={{ href: "/migration", name: "Migrations" }}
    >
      <WizardSteps current="connect" reached="connect" hrefOf={() => null} />
      <div className={classes.columns}>
        <Paper withBorder p="lg">
          <ConnectionReturned connectionId={connectionId} refusal={refusal} />
          {offersConnection && <ConnectedAlready instanceUrl={instanceUrl} />}
          <Tabs defaultValue={refusal || canSignIn ? "oauth" : "token"}>
            <Tabs.List mb="lg">
              <Tabs.Tab value="oauth">Sign in at Salesforce</Tabs.Tab>
              <Tabs.Tab value="token">Access token</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="token">
              <TokenForm instanceUrl={instanceUrl} />
            </Tabs.Panel>
            <Tabs.Panel value="oauth">
              {canSignIn ? <OauthForm instanceUrl={instanceUrl} /> : <SignInNotSetUp />}
            </Tabs.Panel>
          </Tabs>
        </Paper>
        <ConnectHelp canSignIn={canSignIn} />
      </div>
    </Page>
  );
}

function SignInNotSetUp() {
  return (
    <Alert color="sky" title="Signing in at Salesforce is not set up" icon={<IconInfoCircle aria-hidden />}>
      Whoever runs this service{" "}
      <TextLink href="/docs/errors/source_sign_in_not_set_up" inherit underline="always">
        can set it up
      </TextLink>
      . Until then, connect with an access token: a run that outlasts the token pauses and goes on with a new one.
    </Alert>
  );
}
