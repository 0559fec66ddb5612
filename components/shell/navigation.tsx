"use client";

import { NavLink, Text } from "@mantine/core";
import { IconArrowsTransferDown, IconHome } from "@tabler/icons-react";
import Link from "next/link";
import { usePathname } from "next/navigation";

import { RECORD_NAMES } from "@/components/records/record-names";
import { settingsLinks } from "@/components/settings/settings-links";
import classes from "@/components/shell/navigation.module.css";

const ICON = { size: 18, stroke: 1.6, "aria-hidden": true } as const;

const RECORD_LINKS = Object.entries(RECORD_NAMES).map(([resource, { plural, icon: Icon }]) => ({
  href: `/${resource}`,
  label: plural,
  icon: <Icon {...ICON} />,
}));

const LINKS = [
  { href: "/", label: "Home", icon: <IconHome {...ICON} /> },
  { href: "/migration", label: "Migration", icon: <IconArrowsTransferDown {...ICON} /> },
];

interface NavigationProps {
  /** Members do not see the links of admins. */
  isAdmin: boolean;
  /** Closes the drawer of a narrow screen. */
  onNavigate: () => void;
}

/** The main navigation. */
export function Navigation({ isAdmin, onNavigate }: NavigationProps) {
  const pathname = usePathname();
  const item = ({ href, label, icon }: (typeof LINKS)[number]) => {
    const active = pathname === href || (href !== "/" && pathname.startsWith(`${href}/`));
    return (
      <NavLink
        key={href}
        component={Link}
        href={href}
        label={label}
        leftSection={icon}
        active={active}
        aria-current={active ? "page" : undefined}
        onClick={onNavigate}
        className={classes.link}
      />
    );
  };
  return (
    <nav aria-label="Main">
      {LINKS.map(item)}
      <Text component="h2" className={classes.heading}>
        Records
      </Text>
      {RECORD_LINKS.map(item)}
      <Text component="h2" className={classes.heading}>
        Settings
      </Text>
      {settingsLinks(isAdmin).map(({ icon: Icon, ...link }) => item({ ...link, icon: <Icon {...ICON} /> }))}
    </nav>
  );
}
