"use client";

import { Anchor, type AnchorProps } from "@mantine/core";
import { Link } from "@/components/ui/text/link";
import type { ReactNode } from "react";

interface TextLinkProps extends AnchorProps {
  href: string;
  /** False where what is around the link is dragged, not the link. */
  draggable?: boolean;
  children: ReactNode;
}

/** A link within the product. Server components cannot pass `Link` to Mantine. */
export function TextLink({ href, children, ...props }: TextLinkProps) {
  return (
    <Anchor component={Link} href={href} {...props}>
      {children}
    </Anchor>
  );
}
