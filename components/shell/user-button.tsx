import { Avatar, Text, UnstyledButton, type UnstyledButtonProps } from "@mantine/core";
import type { ComponentPropsWithRef } from "react";

import classes from "@/components/shell/user-button.module.css";

export interface SignedInPerson {
  /** The id of the person and the organization. */
  id: string;
  name: string;
  email: string;
  organization: string;
  isAdmin: boolean;
}

type UserButtonProps = UnstyledButtonProps & ComponentPropsWithRef<"button"> & { person: SignedInPerson };

/** Opens the menu of the person and the organization. It shows both where there is room. */
export function UserButton({ person, className, ...others }: UserButtonProps) {
  return (
    <UnstyledButton
      className={[classes.button, className].join(" ")}
      aria-label={`Your account: ${person.name}, ${person.organization}`}
      aria-haspopup="menu"
      {...others}
    >
      <Text component="span" size="sm" visibleFrom="md" className={classes.organization}>
        {person.organization}
      </Text>
      <Avatar color="pine" size={34}>
        {initialsOf(person.name) || undefined}
      </Avatar>
    </UnstyledButton>
  );
}

/** The first letters of the first two words that begin with one: "AA" of "Ada (Admin)". Empty if none does. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}'’-]+/u).filter((word) => /^\p{L}/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join("")
    .toUpperCase();
}
