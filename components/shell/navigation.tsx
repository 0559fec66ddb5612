"use client";

import { NavLink, Text } from "@mantine/core";
import { usePathname } from "next/navigation";

import { settingsLinks } from "@/components/settings/settings-links";
import classes from "@/components/shell/navigation.module.css";
import { type PageLink, RECORD_PAGES, WORK_PAGES } from "@/components/shell/pages";
import { Link } from "@/components/ui/text/links";

const ICON = { size: 18, stroke: 1.6, "aria-hidden": true } as const;

interface NavigationProps {
  /** Members do not see the links of admins. */
  isAdmin: boolean;
  /** Closes the drawer of a narrow screen. */
  onNavigate: () => void;
}

/** The main navigation. */
export function Navigation({ isAdmin, onNavigate }: NavigationProps) {
  const pathname = usePathname();
  const item = ({ href, label, icon: Icon }: PageLink) => {
    const active = pathname === href || (href !== "/" && pathname.startsWith(`${href}/`));
    return (
      <NavLink
        key={href}
        component={Link}
        href={href}
        label={label}
        leftSection={<Icon {...ICON} />}
        active={active}
        aria-current={active ? "page" : undefined}
        onClick={onNavigate}
        className={classes.link}
      />
    );
  };
  return (
    <nav aria-label="Main">
      {WORK_PAGES.map(item)}
      <Text component="h2" className={classes.heading}>
        Records
      </Text>
      {RECORD_PAGES.map(item)}
      <Text component="h2" className={classes.heading}>
        Settings
      </Text>
      {settingsLinks(isAdmin).map(item)}
    </nav>
  );
}
