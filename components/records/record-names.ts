import {
  BriefcaseIcon,
  Building2Icon,
  CalendarDaysIcon,
  LifeBuoyIcon,
  MessagesSquareIcon,
  PackageIcon,
  SproutIcon,
  type LucideProps,
  UsersIcon,
} from "lucide-react";
import type { ComponentType } from "react";

import type { ResourceName } from "@/lib/records/schema/resources";

interface RecordName {
  singular: string;
  plural: string;
  icon: ComponentType<LucideProps>;
}

/** The names of the kinds of records in headings and navigation, in the order of the navigation. */
export const RECORD_NAMES: Record<ResourceName, RecordName> = {
  accounts: { singular: "Account", plural: "Accounts", icon: Building2Icon },
  contacts: { singular: "Contact", plural: "Contacts", icon: UsersIcon },
  cases: { singular: "Case", plural: "Cases", icon: LifeBuoyIcon },
  case_comments: { singular: "Case comment", plural: "Case comments", icon: MessagesSquareIcon },
  activities: { singular: "Activity", plural: "Activities", icon: CalendarDaysIcon },
  leads: { singular: "Lead", plural: "Leads", icon: SproutIcon },
  opportunities: { singular: "Opportunity", plural: "Opportunities", icon: BriefcaseIcon },
  products: { singular: "Product", plural: "Products", icon: PackageIcon },
};
