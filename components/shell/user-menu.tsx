"use client";

import { Avatar, Menu, Text, UnstyledButton } from "@mantine/core";
import { IconLogout } from "@tabler/icons-react";

import classes from "@/components/shell/user-menu.module.css";

export interface SignedInPerson {
  name: string;
  email: string;
  organization: string;
}

/** Who is signed in, for which organization, and the way out. `signOut` ends the session on the server. */
export function UserMenu({ person, signOut }: { person: SignedInPerson; signOut: () => Promise<void> }) {
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
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.6} />} onClick={() => void signOut()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
