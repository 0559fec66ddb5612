"use client";

import { Avatar, Menu, Text, UnstyledButton } from "@mantine/core";
import { IconLogout, IconPlugConnected, IconUserCircle } from "@tabler/icons-react";
import Link from "next/link";

import classes from "@/components/shell/user-menu.module.css";

export interface SignedInPerson {
  name: string;
  email: string;
  organization: string;
  isAdmin: boolean;
}

/** Says who is signed in, with links to their allowed apps and account, and a button that signs them out. */
export function UserMenu({ person }: { person: SignedInPerson }) {
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <UnstyledButton className={classes.target} aria-label={`Your account: ${person.name}`}>
          <Avatar name={person.name} color="pine" size={34} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.person}>
          <Text fw={600} size="sm" truncate>
            {person.name}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {person.email}
          </Text>
          <Text size="xs" c="dimmed" truncate>
            {person.organization}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item
          component={Link}
          href="/settings/allowed-apps"
          leftSection={<IconPlugConnected size={16} stroke={1.6} aria-hidden />}
        >
          Allowed apps
        </Menu.Item>
        <Menu.Item
          component={Link}
          href="/settings/account"
          leftSection={<IconUserCircle size={16} stroke={1.6} aria-hidden />}
        >
          Your account
        </Menu.Item>
        <form method="post" action="/api/auth/sign-out">
          <Menu.Item
            type="submit"
            leftSection={<IconLogout size={16} stroke={1.6} aria-hidden />}
            closeMenuOnClick={false}
          >
            Sign out
          </Menu.Item>
        </form>
      </Menu.Dropdown>
    </Menu>
  );
}
