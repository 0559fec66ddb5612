import {
  IconHistory,
  IconKey,
  type IconProps,
  IconPlugConnected,
  IconUserCircle,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

interface SettingsLink {
  href: string;
  label: string;
  icon: ComponentType<IconProps>;
  forAdmins: boolean;
}

/** The pages of the settings, in the order of the navigation. */
const LINKS: readonly SettingsLink[] = [
  { href: "/settings/members", label: "Members", icon: IconUsers, forAdmins: true },
  { href: "/settings/api", label: "API", icon: IconKey, forAdmins: true },
  { href: "/settings/webhooks", label: "Webhooks", icon: IconWebhook, forAdmins: true },
  { href: "/settings/audit-log", label: "Audit log", icon: IconHistory, forAdmins: true },
  { href: "/settings/allowed-apps", label: "Allowed apps", icon: IconPlugConnected, forAdmins: false },
  { href: "/settings/account", label: "Your account", icon: IconUserCircle, forAdmins: false },
];

/** The pages that a person may see. */
export function settingsLinks(isAdmin: boolean): readonly SettingsLink[] {
  return LINKS.filter(({ forAdmins }) => isAdmin || !forAdmins);
}
