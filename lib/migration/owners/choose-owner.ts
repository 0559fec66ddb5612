import type { OwningMember } from "@/lib/migration/owners/members";
import type { Owners } from "@/lib/migration/owners/owners-schema";
import { isSalesforceId } from "@/lib/salesforce/ids";

/** The most members that are made of users of the source at once. */
export const MAX_MADE_AT_ONCE = 500;

export const NO_CHOICES: Owners = { by_email: true, members: {}, fallback: null };

/** How a user or queue of the source became a member. nobody: what it owns has no owner. */
type OwnerRule = "chosen" | "email" | "fallback" | "nobody";

interface ChosenOwner {
  member: string | null;
  /** Whether the member is the person who owned the record in the source. */
  isSame: boolean;
  rule: OwnerRule;
}

/**
 * The rule by which users and queues of the source become members: the chosen one, else the one with the same e-mail
 * address, else the fallback if `mayFall`. A chosen member who has been removed since counts as not chosen.
 */
export function chooseOwner(
  { by_email: byEmail, members, fallback }: Owners,
  byId: ReadonlyMap<string, OwningMember>,
  withSameEmail: (sourceId: string) => string | null,
): (sourceId: string, mayFall: boolean) => ChosenOwner {
  const idOf = (member: string | null) => (member === null ? null : (byId.get(member.toLowerCase())?.user_id ?? null));
  const chosen = new Map(
    Object.entries(members).flatMap(([id, member]) =>
      isSalesforceId(id) && (member === null || idOf(member)) ? [[caseSensitive(id), idOf(member)] as const] : [],
    ),
  );
  const last = idOf(fallback);
  return (sourceId, mayFall) => {
    const choice = chosen.get(caseSensitive(sourceId));
    if (choice) return { member: choice, isSame: choice === withSameEmail(sourceId), rule: "chosen" };
    if (choice === null) return { member: null, isSame: false, rule: "chosen" };
    const same = byEmail ? withSameEmail(sourceId) : null;
    if (same) return { member: same, isSame: true, rule: "email" };
    return mayFall && last
      ? { member: last, isSame: false, rule: "fallback" }
      : { member: null, isSame: false, rule: "nobody" };
  };
}

/** The part of an id that both of its forms have. */
function caseSensitive(id: string): string {
  return id.slice(0, 15);
}
