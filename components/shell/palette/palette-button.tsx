"use client";

import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { type ComponentType, useState } from "react";

import classes from "@/components/shell/palette/palette-button.module.css";
import { keepTyped, takeTyped } from "@/components/shell/palette/typed-early";
import { sayNotLoaded } from "@/components/ui/overlay/loading";

/** Loaded when somebody first asks for it, so that no page is heavier for it. */
const load = async () => (await import("@/components/shell/palette/command-palette")).CommandPalette;

/** When somebody reaches for the button. If it fails, opening the palette tries again. */
const onReach = () => void load().catch(() => undefined);

function giveUp(): void {
  takeTyped();
  sayNotLoaded();
}

type Keystroke = Pick<KeyboardEvent, "key" | "code" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">;

/**
 * Whether a key is Ctrl+K, or Cmd+K. On a keyboard of another script, such as Cyrillic, it is the key that has the K on
 * a Latin one; where letters are Latin, though elsewhere, as by Dvorak, the letter alone counts.
 */
export function isShortcut({ key, code, ctrlKey, metaKey, shiftKey, altKey }: Keystroke): boolean {
  const isK = /^[a-z]$/i.test(key) ? key.toLowerCase() === "k" : code === "KeyK";
  return isK && (ctrlKey || metaKey) && !shiftKey && !altKey;
}

/** Opens the command palette, as Ctrl+K does: a field with the shortcut where there is room, an icon on a phone. */
export function PaletteButton({ isAdmin }: { isAdmin: boolean }) {
  const [CommandPalette, setPalette] = useState<ComponentType<{ isAdmin: boolean }> | null>(null);
  const toggle = () => {
    keepTyped();
    // The palette opens itself when it first appears.
    if (CommandPalette === null) load().then((loaded) => setPalette(() => loaded), giveUp);
    else void import("@/components/shell/palette/palette-store").then(({ togglePalette }) => togglePalette());
  };
  useWindowEvent("keydown", (event) => {
    if (!isShortcut(event)) return;
    event.preventDefault();
    toggle();
  });
  return (
    <>
      <UnstyledButton
        className={classes.field}
        visibleFrom="sm"
        onClick={toggle}
        onPointerEnter={onReach}
        onFocus={onReach}
        aria-keyshortcuts="Control+K"
      >
        <IconSearch size={16} stroke={1.6} aria-hidden />
        <span className={classes.label}>Search or go to…</span>
        <Kbd size="xs" aria-hidden>
          Ctrl K
        </Kbd>
      </UnstyledButton>
      <ActionIcon
        hiddenFrom="sm"
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Search or go to…"
        onClick={toggle}
        onFocus={onReach}
      >
        <IconSearch size={19} stroke={1.6} aria-hidden />
      </ActionIcon>
      {CommandPalette && <CommandPalette isAdmin={isAdmin} />}
    </>
  );
}
