import { type ComponentType, type MouseEvent, useState } from "react";

import { sayNotLoaded } from "@/components/ui/overlay/loading";

/**
 * A menu whose code is loaded when somebody reaches for its button. `button` has the properties of the button until
 * then; `Menu`, which is open with a button of its own, takes its place at once. Who has gone on to something else by
 * then keeps their place there, and opens the menu by the next click.
 */
export function useMenuOnDemand<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Menu, setMenu] = useState<ComponentType<Props> | null>(null);
  const [isLoading, setLoading] = useState(false);
  const onClick = ({ currentTarget: button }: MouseEvent<HTMLButtonElement>) => {
    setLoading(true);
    void load()
      .then((loaded) => isAt(button) && setMenu(() => loaded), sayNotLoaded)
      .finally(() => setLoading(false));
  };
  const onPointerEnter = () => void load().catch(() => undefined);
  const button = {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    "aria-busy": isLoading,
    onClick,
    onPointerEnter,
  } as const;
  return { Menu, button };
}

/** Whether the focus is at a button or, as by a click in Safari, at what is around it. */
function isAt(button: Element): boolean {
  return document.activeElement?.contains(button) ?? true;
}
