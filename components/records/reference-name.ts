import { type SomeFields, titleOf } from "@/components/records/record";
import type { ResourceName } from "@/lib/records/schema/resources";

/** What a user or record is called where it is chosen. Cases also have a number. */
export function referenceName(target: ResourceName | "users", item: SomeFields & { id: string }): string {
  if (target === "users") return String(item.name);
  const title = titleOf(target, item);
  return (typeof item.case_number === "string" ? `${item.case_number} ${title}` : title) || item.id;
}
