import { type SomeFields, textOf, titleOf } from "@/components/records/record";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a user or record is called where it is chosen. Cases also have a number. */
export function referenceName(target: ResourceName | "users", item: SomeFields & { id: string }): string {
  if (target === "users") return String(item.name);
  const title = titleOf(target, item);
  return (typeof item.case_number === "string" ? `${item.case_number} ${title}` : title) || item.id;
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
