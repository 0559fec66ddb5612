"use client";

import { Button, type ButtonProps } from "@mantine/core";
import { Link } from "@/components/ui/text/link";
import type { ReactNode } from "react";

/** A link that looks like a button. It leads somewhere and changes nothing. */
export function LinkButton({ href, children, ...props }: ButtonProps & { href: string; children: ReactNode }) {
  return (
    <Button component={Link} href={href} {...props}>
      {children}
    </Button>
  );
}
