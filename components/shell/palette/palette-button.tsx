"use client";

import { ActionIcon, Kbd, UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";

import { palette } from "@/components/shell/palette/palette-store";
import classes from "@/components/shell/palette/palette-button.module.css";

/** Opens the command palette: a field with the shortcut where there is room, an icon on a phone. */
export function PaletteButton() {
  return (
    <>
      <UnstyledButton className={classes.field} visibleFrom="sm" onClick={palette.open} aria-keyshortcuts="Control+K">
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
        onClick={palette.open}
      >
        <IconSearch size={19} stroke={1.6} aria-hidden />
      </ActionIcon>
    </>
  );
}
