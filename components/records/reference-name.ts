import { type SomeFields, textOf, titleOf } from "@/components/records/record";
import { withCaseNumber } from "@/lib/records/schema/record-name";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a user or record is called where it is chosen. */
export function referenceName(target: ResourceName | "users", item: SomeFields & { id: string }): string {
  if (target === "users") return String(item.name);
  return withCaseNumber(titleOf(target, item), item) || item.id;
}

/** The fields that tell those of the same name apart where one is chosen. */
const DETAILS: Partial<Record<ResourceName | "users", readonly string[]>> = {
  accounts: ["billing_city"],
  contacts: ["email"],
  leads: ["company", "email"],
  users: ["email"],
};

/** What tells a user or record from others of the same name, with its account if that is expanded in it. */
export function referenceDetail(target: ResourceName | "users", item: SomeFields): string {
  const account = item.account ? titleOf("accounts", item.account as SomeFields) : "";
  return [account, ...(DETAILS[target] ?? []).map((name) => textOf(item, name))].filter(Boolean).join(" · ");
}
