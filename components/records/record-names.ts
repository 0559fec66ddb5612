import {
  IconBriefcase,
  IconBuilding,
  IconCalendarEvent,
  IconLifebuoy,
  IconMessages,
  IconPackage,
  IconSeeding,
  type IconProps,
  IconUsers,
} from "@tabler/icons-react";
import type { ComponentType } from "react";

import { formatCount } from "@/components/ui/text/format";
import type { ResourceName } from "@/lib/records/schema/resources";

interface RecordName {
  singular: string;
  plural: string;
  icon: ComponentType<IconProps>;
}

/** The names of the kinds of records in headings and navigation, in the order of the navigation. */
export const RECORD_NAMES: Record<ResourceName, RecordName> = {
  accounts: { singular: "Account", plural: "Accounts", icon: IconBuilding },
  contacts: { singular: "Contact", plural: "Contacts", icon: IconUsers },
  cases: { singular: "Case", plural: "Cases", icon: IconLifebuoy },
  case_comments: { singular: "Case comment", plural: "Case comments", icon: IconMessages },
  activities: { singular: "Activity", plural: "Activities", icon: IconCalendarEvent },
  leads: { singular: "Lead", plural: "Leads", icon: IconSeeding },
  opportunities: { singular: "Opportunity", plural: "Opportunities", icon: IconBriefcase },
  products: { singular: "Product", plural: "Products", icon: IconPackage },
};

/** A number of records in words: "1 contact", "12 contacts". */
export function formatRecords(resource: ResourceName, count: number): string {
  const { singular, plural } = RECORD_NAMES[resource];
  return formatCount(count, singular.toLowerCase(), plural.toLowerCase());
}
