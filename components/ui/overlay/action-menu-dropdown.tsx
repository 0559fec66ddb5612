"use client";

import { Menu, type MenuItemProps } from "@mantine/core";
import { useMergedRef, useMounted } from "@mantine/hooks";
import { cloneElement, Fragment, type MouseEvent, type ReactElement, type Ref, useState } from "react";

import { takeFocus } from "@/components/ui/overlay/loading";
import { Link } from "@/components/ui/text/links";

interface ActionBase {
  label: string;
  isDisabled?: boolean;
  isDangerous?: boolean;
}

export type MenuAction = ActionBase &
  (
    | { onChoose: () => void }
    /** A page. */
    | { href: string; isCurrent?: boolean }
    /** An address that the browser downloads. */
    | { download: string }
  );

export interface MenuSection {
  /** Above the actions. */
  label?: string;
  actions: readonly MenuAction[];
}

export interface ActionMenuProps {
  /** The parts of the menu, with a line between them. One without actions is left out. */
  sections: readonly MenuSection[];
  position?: "bottom-start" | "bottom-end";
  /** The button that opens the menu. */
  children: ReactElement<ButtonProps>;
}

interface ButtonProps {
  ref?: Ref<HTMLButtonElement>;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  "aria-busy"?: boolean;
  onClick?: (event: MouseEvent<HTMLButtonElement>) => void;
  onPointerEnter?: () => void;
}

/** The menu and its button. It is open when it first appears, in place of the button that asked for it. */
export function ActionMenuDropdown({ sections, position = "bottom-end", children }: ActionMenuProps) {
  const [isOpen, setOpen] = useState(true);
  // Opened only after the button has the focus, to which it returns when the menu closes.
  const isMounted = useMounted();
  const ref = useMergedRef(takeFocus, children.props.ref ?? null);
  return (
    <Menu
      position={position}
      opened={isOpen && isMounted}
      onChange={setOpen}
      withInitialFocusPlaceholder={false}
      withinPortal
    >
      <Menu.Target>{cloneElement(children, { ref })}</Menu.Target>
      <Menu.Dropdown mah={420} style={{ overflowY: "auto" }}>
        {sections
          .filter(({ actions }) => actions.length > 0)
          .map(({ label, actions }, index) => (
            <Fragment key={label ?? index}>
              {index > 0 && <Menu.Divider />}
              {label && <Menu.Label>{label}</Menu.Label>}
              {actions.map((action) => (
                <Action key={action.label} action={action} />
              ))}
            </Fragment>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Action({ action }: { action: MenuAction }) {
  const { label, isDisabled = false, isDangerous = false } = action;
  const shared: MenuItemProps = {
    disabled: isDisabled,
    children: <bdi>{label}</bdi>,
    ...(isDangerous && { color: "var(--mantine-color-error)" }),
  };
  if ("href" in action)
    return (
      <Menu.Item
        {...shared}
        component={Link}
        href={action.href}
        {...(action.isCurrent && { "aria-current": "page" })}
      />
    );
  if ("download" in action) return <Menu.Item {...shared} component="a" href={action.download} download />;
  return <Menu.Item {...shared} onClick={action.onChoose} />;
}
