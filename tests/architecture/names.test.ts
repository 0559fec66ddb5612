import { expect, test } from "vitest";

import { clientName } from "@/lib/oauth/clients/client-fields";
import { readOidcIdentity } from "@/lib/sessions/openid/provider";
import { organization } from "@/lib/sessions/people/person";

const admin = { email: "ada@example.com", password: "cobalt harvest lantern 42" };

/** For each kind of name by which people decide, whether it may be this one. */
function verdictsOn(name: string): Record<string, boolean> {
  return {
    client: clientName.safeParse(name).success,
    organization: organization.safeParse({ name, admin: { ...admin, name: "Ada" } }).success,
    user: organization.safeParse({ name: "Acme", admin: { ...admin, name } }).success,
  };
}

test.each(["Reporting", "Büro & Söhne <3", "営業レポート", "تقارير", "می‌خواهم", "👩‍💻 Desk", "❤️"])(
  "%j may be a name",
  (name) => {
    expect(verdictsOn(name)).toEqual({ client: true, organization: true, user: true });
    expect(readOidcIdentity("https://login.example.com", { sub: "1", name }).name).toBe(name);
  },
);

test.each([
  ["a line feed", "Sales\nforce", "Sales force"],
  ["a NUL", "Sales\u0000force", "Sales force"],
  ["a line separator", "Sales\u2028force", "Sales force"],
  ["an override of the direction", "\u202Eecrofselas", "ecrofselas"],
  ["an isolate", "Sales\u2066force", "Sales force"],
  ["a soft hyphen", "Sales\u00adforce", "Sales force"],
  ["a filler", "Sales\u3164force", "Sales force"],
  ["nothing that is seen", "\u200b\u200b", "ada"],
  ["nothing but joiners", "\u200d\u200d", "ada"],
  ["a tag", "Sales\u{e0041}force", "Sales force"],
])("a name with %s is refused, and cleaned when the OpenID provider sends it", (_, name, read) => {
  expect(verdictsOn(name)).toEqual({ client: false, organization: false, user: false });
  expect(readOidcIdentity("https://login.example.com", { sub: "1", email: "ada@example.com", name }).name).toBe(read);
});
