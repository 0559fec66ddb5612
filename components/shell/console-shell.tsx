"use client";

import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useLayoutEffect } from "react";

import { setShownPerson } from "@/components/api/request";
import { Brand } from "@/components/shell/brand";
import { ConnectionNotice } from "@/components/shell/connection-notice";
import classes from "@/components/shell/console-shell.module.css";
import { useKeptFocus } from "@/components/shell/use-kept-focus";
import { PaletteButton } from "@/components/shell/palette/palette-button";
import { NavigationProgress } from "@/components/shell/progress/navigation-progress";
import { Navigation } from "@/components/shell/navigation";
import type { SignedInPerson } from "@/components/shell/user-button";
import { UserMenu } from "@/components/shell/user-menu";

interface ConsoleShellProps {
  person: SignedInPerson;
  /** Shown above every page while something needs attention. */
  notice?: ReactNode;
  children: ReactNode;
}

/** The frame around every page of a signed-in person: header, navigation, content. */
export function ConsoleShell({ person, notice, children }: ConsoleShellProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const content = useKeptFocus();
  // Before the effects in which the content sends its first requests.
  useLayoutEffect(() => {
    setShownPerson(person.id);
    return () => setShownPerson(null);
  }, [person.id]);
  return (
    <>
      <a href="#content" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell
        header={{ height: 60 }}
        navbar={{ width: 232, breakpoint: "sm", collapsed: { mobile: !opened } }}
        padding={0}
      >
        <AppShell.Header className={classes.header}>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="xs" wrap="nowrap" miw={0}>
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? "Close the menu" : "Open the menu"}
              />
              <Brand isShort />
            </Group>
            <Group gap="md" wrap="nowrap" className={classes.tools}>
              <PaletteButton isAdmin={person.isAdmin} />
              <UserMenu person={person} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" className={classes.navbar}>
          <Navigation isAdmin={person.isAdmin} onNavigate={close} />
        </AppShell.Navbar>
        <AppShell.Main ref={content} id="content" tabIndex={-1} className={classes.main}>
          {notice}
          {children}
        </AppShell.Main>
      </AppShell>
      <NavigationProgress />
      <ConnectionNotice />
    </>
  );
}
