"use client";

import { Menu, Text, useMantineColorScheme } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { IconLogout } from "@tabler/icons-react";
import { useState } from "react";

import { settingsLinks } from "@/components/settings/settings-links";
import { type SignedInPerson, UserButton } from "@/components/shell/user-button";
import classes from "@/components/shell/user-menu-dropdown.module.css";
import { takeFocus } from "@/components/ui/overlay/loading";
import { Link } from "@/components/ui/text/links";

const SIGN_OUT_FORM = "sign-out";

const ICON = { size: 16, stroke: 1.6, "aria-hidden": true } as const;

/** The pages of the settings that are about the person, or about the organization as a whole. */
const SHOWN = new Set(["/settings/account", "/settings/allowed-apps", "/settings/organization", "/settings/members"]);

/**
 * Says who is signed in, in which organization and with which role; with links to the settings of both, the choice of
 * colors, and a button that signs out. It is open when it first appears, in place of the button that asked for it.
 */
export function UserMenuDropdown({ person }: { person: SignedInPerson }) {
  const [isOpen, setOpen] = useState(true);
  // Opened only after the button has the focus, to which it returns when the menu closes.
  const isMounted = useMounted();
  return (
    <>
      {/* A menu may contain items alone, so its form stands beside it. */}
      <form method="post" action="/api/auth/sign-out" id={SIGN_OUT_FORM} hidden />
      <Menu
        position="bottom-end"
        width={280}
        opened={isOpen && isMounted}
        onChange={setOpen}
        withInitialFocusPlaceholder={false}
      >
        <Menu.Target>
          <UserButton person={person} ref={takeFocus} />
        </Menu.Target>
        <Menu.Dropdown>
          <div className={classes.person}>
            <Text component="div" fw={600} size="sm" truncate>
              {person.name}
            </Text>
            <Text component="div" size="xs" c="dimmed" truncate>
              {person.email}
            </Text>
            <Text component="div" size="xs" c="dimmed" truncate>
              {person.isAdmin ? "Admin" : "Member"} of {person.organization}
            </Text>
          </div>
          <Menu.Divider />
          {settingsLinks(person.isAdmin)
            .filter(({ href }) => SHOWN.has(href))
            .map(({ href, label, icon: Icon }) => (
              <Menu.Item key={href} component={Link} href={href} leftSection={<Icon {...ICON} />}>
                {label}
              </Menu.Item>
            ))}
          <Menu.Divider />
          <ColorChoice />
          <Menu.Divider />
          <Menu.Item type="submit" form={SIGN_OUT_FORM} leftSection={<IconLogout {...ICON} />} closeMenuOnClick={false}>
            Sign out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

const SCHEMES = { light: "Light", dark: "Dark", auto: "As the system" } as const;

type Scheme = keyof typeof SCHEMES;

/** The colors of the pages, a choice that the browser stores. */
function ColorChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Menu.Label>Colors</Menu.Label>
      <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as Scheme)}>
        {Object.entries(SCHEMES).map(([scheme, label]) => (
          <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick={false}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
