import { pool } from "@/lib/database/db";
import { AppError, type Fault } from "@/lib/errors";
import { escapePointer } from "@/lib/input/parse-input";
import { boundedSuggest } from "@/lib/input/suggest";
import { type OwningMember, readMembers } from "@/lib/migration/owners/members";
import { MAX_CHOSEN, type Owners } from "@/lib/migration/owners/owners-schema";
import { isSalesforceId } from "@/lib/salesforce/ids";

/** Key prefixes of users and queues (Salesforce Object Reference, "Key prefixes"). */
const OWNER_ID = /^(?:005|00G)/;

/** Choices that name nobody: neither a user or queue of a Salesforce org, nor a member of the organization. */
export async function ownerFaults(organizationId: string, owners: Owners, pointer: string): Promise<Fault[]> {
  const sources = Object.keys(owners.members).filter((id) => !isOwnerId(id));
  const chosen = [
    ...Object.entries(owners.members).map(([id, member]) => ({
      member,
      at: `${pointer}/members/${escapePointer(id)}`,
    })),
    { member: owners.fallback, at: `${pointer}/fallback` },
  ];
  const faults = sources.map((id): Fault => ({
    pointer: `${pointer}/members/${escapePointer(id)}`,
    code: "unknown_owner",
    detail: `\`${id}\` is not the id of a user (005…) or queue (00G…) of Salesforce: 15 or 18 letters and digits.`,
  }));
  if (chosen.every(({ member }) => member === null)) return faults;
  const { byId } = await readMembers(pool(), organizationId);
  const members = [...byId.values()];
  const suggest = boundedSuggest();
  const unknown = chosen.flatMap(({ member, at }) =>
    member === null || byId.has(member.toLowerCase()) ? [] : [{ member, at }],
  );
  return [
    ...faults,
    ...unknown.map(({ member, at }): Fault => {
      const email = suggest(
        member,
        members.map((each) => each.email),
      );
      const meant = members.find((each) => each.email === email);
      return { pointer: at, code: "unknown_member", detail: unknownMember(member, meant) };
    }),
  ];
}

function unknownMember(given: string, meant: OwningMember | undefined): string {
  return (
    `\`${given}\` is not the id of a member of your organization; ` +
    (meant ? `the id of ${meant.email} is \`${meant.user_id}\`.` : "`GET /users` lists those who can sign in.")
  );
}

function isOwnerId(id: string): boolean {
  return OWNER_ID.test(id) && isSalesforceId(id);
}

/** Throws `invalid_request` before members are made whom the configuration has no room for. */
export function assertRoom({ members }: Owners, added: readonly string[]): void {
  const chosen = new Set([...Object.keys(members), ...added]).size;
  if (chosen <= MAX_CHOSEN) return;
  const detail =
    `Members can be chosen for at most ${MAX_CHOSEN} users and queues, and with these it would be ${chosen}. Make ` +
    "members of those who own most, and choose a fallback owner for the others.";
  throw new AppError("invalid_request", detail, { errors: [{ pointer: "/users", code: "too_long", detail }] });
}
