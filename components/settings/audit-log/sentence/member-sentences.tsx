import type { ReactNode } from "react";

import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import { Person } from "@/components/settings/audit-log/sentence/person";
import { hasNoAddress } from "@/components/settings/members/no-address";
import { formatCount } from "@/components/ui/text/format";

/** The member whom an admin changed, by the e-mail address that they had then. */
function Member({ event: { details } }: { event: AuditEvent }) {
  const { member_email: email } = details;
  if (typeof email !== "string") return <b>a member</b>;
  return <b>{hasNoAddress({ email }) ? "somebody without an e-mail address" : email}</b>;
}

function ended({ details: { sessions_ended, tokens_stopped, webhooks_switched_off } }: AuditEvent): string {
  const counts = [
    [sessions_ended, "browser", "signed out"],
    [tokens_stopped, "access token", "stopped"],
    [webhooks_switched_off, "webhook", "switched off"],
  ] as const;
  const parts = counts.flatMap(([count, noun, change]) =>
    typeof count === "number" && count > 0 ? [`${formatCount(count, noun)} ${change}`] : [],
  );
  return parts.length > 0 ? `; ${parts.join(", ")}` : "";
}

function signedOut({ details: { browser, sessions_ended: count } }: AuditEvent): string {
  if (typeof browser === "string") return `a browser: ${browser}`;
  return typeof count === "number" ? formatCount(count, "other browser") : "other browsers";
}

function toRole({ details: { after } }: AuditEvent): string {
  return after === "admin" ? "an admin" : "no admin any more";
}

function roleOf({ details: { role } }: AuditEvent): string {
  return role === "admin" ? "an admin" : "a member";
}

/** What is different in the organization: "name", "currency". */
function changedIn({ details }: AuditEvent): string {
  const { before = {}, after = {} } = details as Record<"before" | "after", Record<string, unknown> | undefined>;
  const sentences = { name: "name", currency: "default currency", time_zone: "time zone" };
  const changes = Object.entries(sentences).filter(([field]) => before[field] !== after[field]);
  return changes.map(([field, label]) => `${label} to ${String(after[field] ?? "none")}`).join(", ");
}

/** What happens to passwords, sessions, members and the organization, as sentences. */
export const MEMBER_SENTENCES: Record<string, (event: AuditEvent) => ReactNode> = {
  "session.ended": (event) => (
    <>
      <Person event={event} /> signed out {signedOut(event)}
    </>
  ),
  "password.changed": (event) => (
    <>
      <Person event={event} /> changed their password{ended(event)}
    </>
  ),
  "password.refused": (event) => (
    <>
      Somebody signed in as <Person event={event} /> entered a wrong password where the current one was asked for
    </>
  ),
  "password_link.created": (event) => (
    <>
      <Person event={event} /> made a one-time link for <Member event={event} /> to set a password
    </>
  ),
  "password_link.used": (event) => (
    <>
      <Person event={event} /> set a password by a one-time link
      {typeof event.details.made_by === "string" && ` that ${event.details.made_by} had made`}
      {ended(event)}
    </>
  ),
  "member.added": (event) => (
    <>
      <Person event={event} /> added <Member event={event} /> as {roleOf(event)}
    </>
  ),
  "member.role_changed": (event) => (
    <>
      <Person event={event} /> made <Member event={event} /> {toRole(event)}
      {ended(event)}
    </>
  ),
  "member.disabled": (event) => (
    <>
      <Person event={event} /> disabled <Member event={event} />
      {ended(event)}
    </>
  ),
  "member.enabled": (event) => (
    <>
      <Person event={event} /> enabled <Member event={event} />
    </>
  ),
  "member.removed": (event) => (
    <>
      <Person event={event} /> removed <Member event={event} />
      {ended(event)}
    </>
  ),
  "person.renamed": (event) => (
    <>
      <Person event={event} /> changed their own name to <bdi>{String(event.details.after)}</bdi>
    </>
  ),
  "organization.updated": (event) => (
    <>
      <Person event={event} /> changed the organization: <bdi>{changedIn(event)}</bdi>
    </>
  ),
  "organization.exported": (event) => (
    <>
      <Person event={event} /> began to export all data of the organization
      {typeof event.details.format === "string" && ` as ${event.details.format.toUpperCase()}`}
    </>
  ),
  "member.sessions_ended": (event) => (
    <>
      <Person event={event} /> signed <Member event={event} /> out everywhere{ended(event)}
    </>
  ),
};
