import { IconArrowsTransferDown, IconBook, IconHome, type IconProps, IconPlus, IconTrash } from "@tabler/icons-react";
import type { ComponentType } from "react";

import { RECORD_NAMES } from "@/components/records/record-names";
import { settingsLinks } from "@/components/settings/settings-links";

/** A page that one can go to, by the navigation and the command palette. */
export interface PageLink {
  href: string;
  label: string;
  icon: ComponentType<IconProps>;
}

/** The pages of the work itself. */
export const WORK_PAGES: readonly PageLink[] = [
  { href: "/", label: "Home", icon: IconHome },
  { href: "/migration", label: "Migrations", icon: IconArrowsTransferDown },
];

/** The list of each kind of records, and of those that were deleted. */
export const RECORD_PAGES: readonly PageLink[] = [
  ...Object.entries(RECORD_NAMES).map(([resource, { plural, icon }]) => ({
    href: `/${resource}`,
    label: plural,
    icon,
  })),
  { href: "/deleted", label: "Deleted records", icon: IconTrash },
];

/** What the palette can start, by the page where it begins. */
function actions(isAdmin: boolean): PageLink[] {
  const ofRecords = Object.entries(RECORD_NAMES).map(([resource, { singular }]) => ({
    href: `/${resource}/new`,
    label: `New ${singular.toLowerCase()}…`,
    icon: IconPlus,
  }));
  const ofAdmins = [
    { href: "/settings/api/new", label: "New API client…", icon: IconPlus },
    { href: "/settings/webhooks/new", label: "New webhook…", icon: IconPlus },
  ];
  return [
    ...ofRecords,
    { href: "/migration/new", label: "New migration…", icon: IconPlus },
    ...(isAdmin ? ofAdmins : []),
  ];
}

/** Everything that the command palette leads to beside records. Members do not see the pages of admins. */
export function palettePages(isAdmin: boolean): { pages: PageLink[]; actions: PageLink[] } {
  const settings = settingsLinks(isAdmin).map(({ href, label, icon }) => ({ href, label, icon }));
  const docs = { href: "/docs", label: "API reference", icon: IconBook };
  return { pages: [...WORK_PAGES, ...RECORD_PAGES, ...settings, docs], actions: actions(isAdmin) };
}
