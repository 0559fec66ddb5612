import type { AuditEvent } from "@/components/settings/audit-log/audit-event";

/** A person by name and e-mail address; by the address alone if they are no longer a member. */
export function Person({ event: { user_name, user_email } }: { event: AuditEvent }) {
  if (!user_email) return <>The service</>;
  if (!user_name) return <b>{user_email}</b>;
  return (
    <>
      <b>
        <bdi>{user_name}</bdi>
      </b>{" "}
      &lt;{user_email}&gt;
    </>
  );
}
