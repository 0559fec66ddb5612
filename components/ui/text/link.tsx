"use client";

import NextLink from "next/link";
import { type ComponentProps, type FocusEvent, type PointerEvent, useState } from "react";

type LinkProps = Omit<ComponentProps<typeof NextLink>, "prefetch">;

/**
 * A link within the product. Next would prefetch every link in view, some thirty requests for each page that is opened;
 * this one is prefetched when the pointer, a finger or the focus reaches it.
 */
export function Link({ onPointerEnter, onFocus, ...props }: LinkProps) {
  const [isReached, setReached] = useState(false);
  return (
    <NextLink
      prefetch={isReached ? null : false}
      onPointerEnter={(event: PointerEvent<HTMLAnchorElement>) => {
        setReached(true);
        onPointerEnter?.(event);
      }}
      onFocus={(event: FocusEvent<HTMLAnchorElement>) => {
        setReached(true);
        onFocus?.(event);
      }}
      {...props}
    />
  );
}
