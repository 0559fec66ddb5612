"use client";

import { Stack, Text } from "@mantine/core";

import { ChangePassword } from "@/components/settings/account/change-password";
import { Profile } from "@/components/settings/account/profile";
import { SessionList } from "@/components/settings/account/session-list";
import { SETTINGS } from "@/components/settings/settings-links";
import { Page } from "@/components/ui/layout/page";
import { Section } from "@/components/ui/layout/section";

export interface AccountProps {
  name: string;
  email: string;
  isAdmin: boolean;
  hasPassword: boolean;
  /** The name of the OpenID provider; null when there is none. */
  provider: string | null;
}

/** The reader's name and password, and the browsers in which they are signed in. */
export function Account({ name, email, isAdmin, hasPassword, provider }: AccountProps) {
  return (
    <Page title="Your account" parent={SETTINGS} lead="Your name, your password, and where you are signed in.">
      <Stack gap="lg">
        <Profile name={name} email={email} isAdmin={isAdmin} />
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
