"use client";

import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
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

/** Opens the command palette, as Ctrl+K does: a field with the shortcut where there is room, an icon on a phone. */
export function PaletteButton({ isAdmin }: { isAdmin: boolean }) {
  const [CommandPalette, setPalette] = useState<ComponentType<{ isAdmin: boolean }> | null>(null);
  const toggle = () => {
    keepTyped();
    // The palette opens itself when it first appears.
    if (CommandPalette === null) load().then((loaded) => setPalette(() => loaded), giveUp);
    else void import("@/components/shell/palette/palette-store").then(({ togglePalette }) => togglePalette());
  };
  useHotkeys([["mod+K", toggle]], []);
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
