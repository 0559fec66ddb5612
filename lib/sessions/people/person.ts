import { z } from "zod";

import { hasInvisibleCharacters, INVISIBLE_FAULT } from "@/lib/input/invisible-characters";
import { lengthFault } from "@/lib/sessions/passwords/password";

/**
 * The form in which e-mails are stored, compared and counted. Only ASCII passes `email` then, so that no two users have
 * e-mails that look alike. Other letters stay as they are: the sign for kelvin would become an ASCII k.
 */
export function normalizeEmail(given: string): string {
  return given.trim().replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * The end of the addresses of members that a migration made (`lib/migration/owners/make-members.ts`). It is no domain,
 * so nobody can receive mail there (RFC 2606 §2).
 */
export const NO_ADDRESS = ".invalid";

export const email = z
  .string()
  .transform(normalizeEmail)
  .pipe(z.string().max(254, "An e-mail address has at most 254 characters."))
  .pipe(z.email("This is not an e-mail address. Enter one like name@example.com."));

/** That somebody gets. It is no {@link NO_ADDRESS}: whoever took a member's would be that member. */
export const newEmail = email.refine(
  (address) => !address.endsWith(NO_ADDRESS),
  "Nobody can receive mail at `.invalid`. Enter an address like name@example.com.",
);

const name = (what: string) =>
  z
    .string()
    .trim()
    .min(1, `Enter ${what}.`)
    .max(200, `At most 200 characters.`)
    .refine((value) => !hasInvisibleCharacters(value), INVISIBLE_FAULT);

export const personName = name("a name");

export const organizationName = name("the organization's name");

export const newPassword = z.string().superRefine((value, issue) => {
  const fault = lengthFault(value);
  if (fault) issue.addIssue({ code: "custom", message: fault });
});

/** A person who can sign in. */
export const person = z.strictObject({ email: newEmail, name: personName, password: newPassword });

export type Person = z.input<typeof person>;

export const organization = z.strictObject({ name: organizationName, admin: person });

export type NewOrganization = z.input<typeof organization>;

/** One whose admin has no password yet. */
export const invitedOrganization = organization.extend({ admin: person.omit({ password: true }) });

export type InvitedOrganization = z.input<typeof invitedOrganization>;
