import type { Member } from "@/lib/sessions/schemas";

/** Whether a migration made the member. Nobody can receive mail at such an address. */
export function hasNoAddress({ email }: Pick<Member, "email">): boolean {
  return email.endsWith(".invalid");
}
