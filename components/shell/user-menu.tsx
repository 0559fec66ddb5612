"use client";

import dynamic from "next/dynamic";
import { useState } from "react";

import { type SignedInPerson, UserButton } from "@/components/shell/user-button";

const load = async () => (await import("@/components/shell/user-menu-dropdown")).UserMenuDropdown;

const UserMenuDropdown = dynamic(load, { ssr: false });

/** The menu of the person and the organization. What it shows is loaded when somebody reaches for it. */
export function UserMenu({ person }: { person: SignedInPerson }) {
  const [isWanted, setWanted] = useState(false);
  if (isWanted) return <UserMenuDropdown person={person} />;
  // Once it is loaded, the menu takes the place of this button at once.
  const open = () => void load().then(() => setWanted(true));
  return <UserButton person={person} aria-expanded={false} onClick={open} onPointerEnter={() => void load()} />;
}
