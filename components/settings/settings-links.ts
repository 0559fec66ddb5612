import {
  IconHistory,
  IconKey,
  type IconProps,
  IconPlugConnected,
  IconSettings,
  IconUserCircle,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

interface SettingsLink {
  href: string;
  label: string;
  /** What one does there, for the overview of the settings. */
  about: string;
  icon: ComponentType<IconProps>;
  forAdmins: boolean;
}

/** The pages of the settings, in the order of the navigation. */
const LINKS: readonly SettingsLink[] = [
  {
    href: "/settings/organization",
    label: "Organization",
    about: "Name, default currency, time zone and storage.",
    icon: IconSettings,
    forAdmins: false,
  },
  {
    href: "/settings/members",
    label: "Members",
    about: "Who works here, and who is an admin. Add people and reset passwords.",
    icon: IconUsers,
    forAdmins: true,
  },
  {
    href: "/settings/api",
    label: "API clients",
    about: "Your own programs and assistants that may use the API, with their secrets.",
    icon: IconKey,
    forAdmins: true,
  },
  {
    href: "/settings/webhooks",
    label: "Webhooks",
    about: "Systems that are told what happens here, and every delivery to them.",
    icon: IconWebhook,
    forAdmins: true,
  },
  {
    href: "/settings/audit-log",
    label: "Audit log",
    about: "Who did what, when, and from where.",
    icon: IconHistory,
    forAdmins: true,
  },
  {
    href: "/settings/allowed-apps",
    label: "Allowed apps",
    about: "What you have allowed to act in your name.",
    icon: IconPlugConnected,
    forAdmins: false,
  },
  {
    href: "/settings/account",
    label: "Your account",
    about: "Your name, your password, and where you are signed in.",
    icon: IconUserCircle,
    forAdmins: false,
  },
];

/** The page above each page of the settings. */
export const SETTINGS = { href: "/settings", name: "Settings" };

/** The pages that a person may see. */
export function settingsLinks(isAdmin: boolean): readonly SettingsLink[] {
  return LINKS.filter(({ forAdmins }) => isAdmin || !forAdmins);
}
