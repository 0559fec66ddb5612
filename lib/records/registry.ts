import type { z } from "zod";

import { account } from "@/lib/records/entities/account";
import { activity } from "@/lib/records/entities/activity";
import { supportCase } from "@/lib/records/entities/case";
import { caseComment } from "@/lib/records/entities/case-comment";
import { contact } from "@/lib/records/entities/contact";
import { lead } from "@/lib/records/entities/lead";
import { opportunity } from "@/lib/records/entities/opportunity";
import { product } from "@/lib/records/entities/product";
import type { Entity } from "@/lib/records/entity";
import type { ResourceName } from "@/lib/records/resources";

/** Every entity by its resource name. What the service can do with records is derived from this. */
export const ENTITIES = {
  accounts: account,
  contacts: contact,
  cases: supportCase,
  case_comments: caseComment,
  activities: activity,
  leads: lead,
  opportunities: opportunity,
  products: product,
} satisfies { [Resource in ResourceName]: Entity<Resource> };

/** A record of a resource as it stands in answers. */
export type RecordOf<Resource extends ResourceName> = z.output<(typeof ENTITIES)[Resource]["output"]>;

/** Whether `name` is a resource. Names come from paths, so what every object inherits must not count. */
export function isResource(name: string): name is ResourceName {
  return Object.hasOwn(ENTITIES, name);
}
