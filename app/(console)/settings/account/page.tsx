import { requirePerson } from "@/app/session";
import { Account } from "@/components/settings/account/account";
import { oidcProvider } from "@/lib/sessions/openid/provider";
import { hasPassword } from "@/lib/sessions/passwords/change-password";

export const metadata = { title: "Your account" };

export default async function AccountPage() {
  const { user_id, user_name, user_email, role } = await requirePerson("/settings/account");
  return (
    <Account
      name={user_name}
      email={user_email}
      isAdmin={role === "admin"}
      hasPassword={await hasPassword(user_id)}
      provider={oidcProvider()?.name ?? null}
    />
  );
}
