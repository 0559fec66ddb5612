import type { Configuration } from "@/lib/migration/configuration/configuration-schema";
import { NO_CHOICES } from "@/lib/migration/owners/choose-owner";
import type { ListedOwner, Owners } from "@/lib/migration/owners/owners-schema";

/** The choices for owners. Without any, e-mail addresses decide. */
export function ownersOf(draft: Configuration): Owners {
  return draft.owners ?? NO_CHOICES;
}

export function withOwners(draft: Configuration, changes: Partial<Owners>): Configuration {
  return { ...draft, owners: { ...ownersOf(draft), ...changes } };
}

/** "auto": by e-mail, or else the fallback. "nobody": no owner. Else the id of a member. */
export type OwnerChoice = string;

export function choiceFor(draft: Configuration, { id }: Pick<ListedOwner, "id">): OwnerChoice {
  const { members } = ownersOf(draft);
  if (!Object.hasOwn(members, id)) return "auto";
  return members[id] ?? "nobody";
}

export function withOwner(draft: Configuration, { id }: Pick<ListedOwner, "id">, choice: OwnerChoice): Configuration {
  const { [id]: _before, ...members } = ownersOf(draft).members;
  if (choice === "auto") return withOwners(draft, { members });
  return withOwners(draft, { members: { ...members, [id]: choice === "nobody" ? null : choice } });
}
