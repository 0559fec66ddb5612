"use client";

import { AppShell, Burger, Group } from "@mantine/core";
import { useDisclosure, useWindowEvent } from "@mantine/hooks";
import { usePathname } from "next/navigation";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from "react";
import { flushSync } from "react-dom";

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
import { watchMedia } from "@/components/ui/layout/watch-media";

interface ConsoleShellProps {
  person: SignedInPerson;
  /** Shown above every page while something needs attention. */
  notice?: ReactNode;
  children: ReactNode;
}

const NAVIGATION_ID = "navigation";

/** The frame around every page of a signed-in person: header, navigation, content. */
export function ConsoleShell({ person, notice, children }: ConsoleShellProps) {
  const content = useKeptFocus();
  const { opened, isCovering, close, closeByEscape, closeByChoice, button } = useMenu(content);
  // Before the effects in which the content sends its first requests.
  useLayoutEffect(() => {
    setShownPerson(person.id);
    return () => setShownPerson(null);
  }, [person.id]);
  return (
    <>
      <a href="#content" className={classes.skip} onClick={close}>
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
              <Brand isShort onClick={closeByChoice} />
            </Group>
            <Group gap="md" wrap="nowrap" className={classes.tools} onClick={close}>
              <PaletteButton isAdmin={person.isAdmin} />
              <UserMenu person={person} />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar
          id={NAVIGATION_ID}
          p="sm"
          className={classes.navbar}
          mod={{ closed: !opened }}
          onKeyDown={closeByEscape}
        >
          <Navigation isAdmin={person.isAdmin} onNavigate={closeByChoice} />
        </AppShell.Navbar>
        <AppShell.Main ref={content} id="content" tabIndex={-1} inert={isCovering} className={classes.main}>
          {notice}
          {children}
        </AppShell.Main>
      </AppShell>
      <NavigationProgress />
      <ConnectionNotice />
    </>
  );
}

/** As the stylesheet and Mantine's breakpoint `sm` have it. */
const NARROW = "(width < 48em)";

const watchNarrow = watchMedia(NARROW);

/**
 * The navigation of a narrow screen, which covers the content. Escape closes it, and gives the focus to its button; the
 * choice of a page closes it too, and gives the focus to the content. Any other way to a page closes it as well, and so
 * do the tools beside its button: the palette may lead to the page that is open already.
 */
function useMenu(content: RefObject<HTMLElement | null>) {
  const [opened, { toggle, close }] = useDisclosure();
  // It stays as the server has it until the menu opens: a change after the hydration would render every link again.
  const isCovering = useSyncExternalStore(
    watchNarrow,
    () => opened && window.matchMedia(NARROW).matches,
    () => false,
  );
  const ref = useRef<HTMLButtonElement>(null);
  const pathname = usePathname();
  useEffect(close, [pathname, close]);
  const closeByEscape = ({ key }: Pick<KeyboardEvent, "key">) => {
    if (key !== "Escape" || !opened) return;
    close();
    ref.current?.focus();
  };
  // A tap beside the links takes the focus from them.
  useWindowEvent("keydown", (event) => event.target === document.body && closeByEscape(event));
  const closeByChoice = () => {
    // Only then the content can take the focus.
    flushSync(close);
    if (isCovering) content.current?.focus({ preventScroll: true });
  };
  const button = { ref, opened, onClick: toggle, onKeyDown: closeByEscape, "aria-expanded": opened };
  return { opened, isCovering, close, closeByEscape, closeByChoice, button };
}
