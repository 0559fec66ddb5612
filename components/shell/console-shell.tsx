"use client";

import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from "react";

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

const NAVIGATION_ID = "navigation";

/** The frame around every page of a signed-in person: header, navigation, content. */
export function ConsoleShell({ person, notice, children }: ConsoleShellProps) {
  const { opened, close, closeByEscape, button } = useMenu();
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
              <Burger {...button} hiddenFrom="sm" size="sm" aria-label="Menu" aria-controls={NAVIGATION_ID} />
              <Brand isShort />
            </Group>
            <Group gap="md" wrap="nowrap" className={classes.tools}>
              <PaletteButton isAdmin={person.isAdmin} />
              <UserMenu person={person} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar id={NAVIGATION_ID} p="sm" className={classes.navbar} onKeyDown={closeByEscape}>
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

/** The navigation of a narrow screen, which Escape closes. The focus then goes to its button. */
function useMenu() {
  const [opened, { toggle, close }] = useDisclosure();
  const ref = useRef<HTMLButtonElement>(null);
  const closeByEscape = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !opened) return;
    close();
    ref.current?.focus();
  };
  const button = { ref, opened, onClick: toggle, onKeyDown: closeByEscape, "aria-expanded": opened };
  return { opened, close, closeByEscape, button };
}
