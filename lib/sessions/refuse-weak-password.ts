import { AppError } from "@/lib/errors";
import { normalizePassword } from "@/lib/sessions/password";
import { weaknessOf } from "@/lib/sessions/password-strength";

/** Whose password it is: words that it must not be made of. */
interface Owner {
  email: string;
  name: string;
  organization: string;
}

/** Throws `invalid_request` at `pointer` when a new password is one that guessers try (NIST SP 800-63B §3.1.1.2, §A.3). */
export function refuseWeakPassword(password: string, { email, name, organization }: Owner, pointer: string): void {
  const detail = weaknessOf(normalizePassword(password), [email, name, organization]);
  if (detail) throw new AppError("invalid_request", "Choose another password.", { errors: [{ pointer, code: "weak_password", detail }] });
}
