"use client";

import { Anchor, type AnchorProps, Button, type ButtonProps } from "@mantine/core";
import NextLink from "next/link";
import { type ComponentProps, type ReactNode, useState } from "react";

type Handler = "onPointerEnter" | "onPointerLeave" | "onFocus" | "onBlur";

/**
 * A link within the product. Next would prefetch every link in view, 28 requests for each list that is opened; this one
 * is prefetched when the pointer or the keyboard reaches it. A finger reaches it only to open it.
 */
export function Link(props: Omit<ComponentProps<typeof NextLink>, "prefetch" | Handler>) {
  const [isReached, setReached] = useState(false);
  // It would be prefetched again whenever the page is refreshed.
  const leave = () => setReached(false);
  return (
    <NextLink
      {...props}
      prefetch={isReached ? null : false}
      onPointerEnter={({ pointerType }) => setReached(pointerType !== "touch")}
      onPointerLeave={leave}
      onFocus={({ currentTarget }) => setReached(currentTarget.matches(":focus-visible"))}
      onBlur={leave}
    />
  );
}

interface TextLinkProps extends AnchorProps {
  href: string;
  /** False where what is around the link is dragged, not the link. */
  draggable?: boolean;
  children: ReactNode;
}

/** A link in a text. Server components cannot pass `Link` to Mantine. */
export function TextLink({ href, children, ...props }: TextLinkProps) {
  return (
    <Anchor component={Link} href={href} {...props}>
      {children}
    </Anchor>
  );
}

/** A link that looks like a button. It leads somewhere and changes nothing. */
export function LinkButton({ href, children, ...props }: ButtonProps & { href: string; children: ReactNode }) {
  return (
    <Button component={Link} href={href} {...props}>
      {children}
    </Button>
  );
}
