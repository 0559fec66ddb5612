"use client";

import { Stack, Text } from "@mantine/core";

import { ChangePassword } from "@/components/settings/account/change-password";
import { SessionList } from "@/components/settings/account/session-list";
import { Page } from "@/components/ui/layout/page";
import { Section } from "@/components/ui/layout/section";

export interface AccountProps {
  name: string;
  email: string;
  hasPassword: boolean;
  /** The name of the OpenID provider; null when there is none. */
  provider: string | null;
}

/** The reader's password, and the browsers in which they are signed in. */
export function Account({ name, email, hasPassword, provider }: AccountProps) {
  return (
    <Page
      title="Your account"
      lead={
        <>
          {name}, {email}
        </>
      }
    >
      <Stack gap="lg">
        {hasPassword ? (
          <ChangePassword email={email} />
        ) : (
          <Section title="Password">
            <Text size="sm">
              You sign in through {provider ?? "an OpenID provider"} and have no password here. If you want one as well,
              ask an admin for a one-time link.
            </Text>
          </Section>
        )}
        <SessionList />
      </Stack>
    </Page>
  );
}
