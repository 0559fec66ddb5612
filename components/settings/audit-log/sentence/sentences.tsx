import type { ReactNode } from "react";

import type { AuditEvent } from "@/components/settings/audit-log/audit-event";
import { MEMBER_SENTENCES } from "@/components/settings/audit-log/sentence/member-sentences";
import { Person } from "@/components/settings/audit-log/sentence/person";
import { WEBHOOK_SENTENCES } from "@/components/settings/audit-log/sentence/webhook-sentences";
import { formatCount, formatInterval } from "@/components/ui/text/format";

type Sentence = (event: AuditEvent) => ReactNode;

function Client({ event }: { event: AuditEvent }) {
  return (
    <>
      “<bdi>{event.client_name ?? "an API client"}</bdi>”
    </>
  );
}

/** The app through which somebody did something, if there was one. */
function Through({ event }: { event: AuditEvent }) {
  if (!event.client_name) return null;
  return (
    <>
      {" "}
      through <Client event={event} />
    </>
  );
}

function Org({ event: { details } }: { event: AuditEvent }) {
  return <bdi>{String(details.org_name ?? details.host ?? "")}</bdi>;
}

/** Events of earlier versions do not say of which org the migration is. */
function Migration({ event }: { event: AuditEvent }) {
  if (!event.details.org_name && !event.details.host) return "a migration";
  return (
    <>
      the migration of <Org event={event} />
    </>
  );
}

function countIn({ details }: AuditEvent, name: string): number {
  const value = details[name];
  return typeof value === "number" ? value : 0;
}

/** What ended together with an app's access; empty if nothing did. */
function stopped(event: AuditEvent): string {
  const [tokens, off, kept] = ["tokens_stopped", "webhooks_switched_off", "webhooks_kept"].map((name) =>
    countIn(event, name),
  );
  const parts = [
    tokens && `${formatCount(tokens, "access token")} stopped`,
    off && `${formatCount(off, "webhook")} switched off`,
    kept && `${formatCount(kept, "webhook")} kept`,
  ];
  return parts.map((part) => (part ? `; ${part}` : "")).join("");
}

/** What was changed of an API client, as far as the event says. */
function changed(event: AuditEvent): ReactNode {
  const { before, after } = event.details as {
    before?: { name?: unknown };
    after?: { name?: unknown; redirect_uris?: unknown };
  };
  const isRenamed = typeof after?.name === "string" && typeof before?.name === "string" && after.name !== before.name;
  const old = isRenamed ? (
    <>
      “<bdi>{String(before?.name)}</bdi>” to{" "}
    </>
  ) : null;
  const what = isRenamed
    ? "renamed the API client "
    : after?.redirect_uris
      ? "changed the redirect URIs of the API client "
      : "changed the API client ";
  return (
    <>
      {what}
      {old}
      <Client event={event} />
    </>
  );
}

function overlap(event: AuditEvent): string {
  const hours = countIn(event, "overlap_hours");
  return hours === 0
    ? "; the old one stopped at once"
    : `; the old one keeps working for ${formatCount(hours, "hour")} from then`;
}

/** What somebody did with a migration: "Ada started the migration of …". */
function onMigration(verb: string, end = ""): Sentence {
  return (event) => (
    <>
      <Person event={event} /> {verb} <Migration event={event} />
      {end}
      <Through event={event} />
    </>
  );
}

/** What somebody did with the connection to an org. */
function onOrg(verb: string): Sentence {
  return (event) => (
    <>
      <Person event={event} /> {verb} the Salesforce org <Org event={event} />
      <Through event={event} />
    </>
  );
}

/** Each action as a sentence. */
export const SENTENCES: Record<string, Sentence> = {
  ...WEBHOOK_SENTENCES,
  ...MEMBER_SENTENCES,
  "sign_in.succeeded": (event) => (
    <>
      <Person event={event} /> signed in{event.details.method === "oidc" && " through the OpenID provider"}
    </>
  ),
  "sign_in.failed": (event) => (
    <>
      Somebody failed to sign in as <Person event={event} />
    </>
  ),
  "sign_in.throttled": (event) => (
    <>
      Somebody tried too often to sign in as <Person event={event} /> and was kept from trying again for a while
    </>
  ),
  sign_out: (event) => (
    <>
      <Person event={event} /> signed out
    </>
  ),
  "user.linked": (event) => (
    <>
      <Person event={event} /> was linked to an account at the OpenID provider
      {event.details.password_forgotten === true && ", and the password that was set by a one-time link was deleted"}
    </>
  ),
  "user.joined": (event) => (
    <>
      <Person event={event} /> became a member through the OpenID provider
    </>
  ),
  "client.created": (event) => (
    <>
      <Person event={event} /> created the API client <Client event={event} />
    </>
  ),
  "client.updated": (event) => (
    <>
      <Person event={event} /> {changed(event)}
    </>
  ),
  "client.secret_rotated": (event) => (
    <>
      <Person event={event} /> rotated the client secret of the API client <Client event={event} />
      {overlap(event)}
    </>
  ),
  "client.secret_ended": (event) => (
    <>
      <Person event={event} /> ended the old client secret of the API client <Client event={event} />
    </>
  ),
  "client.revoked": (event) => (
    <>
      <Person event={event} /> revoked the API client <Client event={event} />
      {stopped(event)}
    </>
  ),
  "client.refused": (event) => (
    <>
      A request in the name of the API client <Client event={event} /> was refused: it came with a wrong client secret,
      or the client has been revoked
    </>
  ),
  "consent.given": (event) => (
    <>
      <Person event={event} /> allowed <Client event={event} /> to act in their name
    </>
  ),
  "consent.denied": (event) => (
    <>
      <Person event={event} /> did not allow <Client event={event} /> to act in their name
    </>
  ),
  "grant.revoked": (event) => (
    <>
      <Person event={event} /> removed the access of <Client event={event} />
      {stopped(event)}
    </>
  ),
  "token.issued": (event) => (
    <>
      <Client event={event} /> got an access token in the name of <Person event={event} />
    </>
  ),
  "token.revoked": (event) => (
    <>
      <Client event={event} /> revoked an access token in the name of <Person event={event} />
    </>
  ),
  "code.replayed": (event) => (
    <>
      <Client event={event} /> used an authorization code of <Person event={event} /> a second time, which was refused
      {countIn(event, "tokens_stopped") > 0 &&
        `; ${formatCount(countIn(event, "tokens_stopped"), "access token")} stopped`}
    </>
  ),
  "migration.conflicts_decided": (event) => (
    <>
      <Person event={event} /> decided what becomes of{" "}
      {formatCount(
        countIn(event, "records"),
        "record that was edited here and differs",
        "records that were edited here and differ",
      )}{" "}
      in Salesforce, in <Migration event={event} />
      <Through event={event} />
    </>
  ),
  "migration.undone": onMigration("had", " undone"),
  "migration.started": onMigration("started"),
  "migration.paused": onMigration("paused"),
  "migration.resumed": onMigration("resumed"),
  "migration.retried": onMigration("retried the failed records of"),
  "migration.delta_started": (event) =>
    event.details.scheduled === true ? (
      <>
        A delta was started by the schedule of <Migration event={event} />
      </>
    ) : (
      <>
        <Person event={event} /> started a delta of <Migration event={event} />
        <Through event={event} />
      </>
    ),
  "migration.deltas_scheduled": (event) => (
    <>
      <Person event={event} />{" "}
      {typeof event.details.every_minutes === "number" ? (
        <>
          scheduled a delta of <Migration event={event} /> {formatInterval(event.details.every_minutes)}
        </>
      ) : (
        <>
          ended the schedule of deltas of <Migration event={event} />
        </>
      )}
      <Through event={event} />
    </>
  ),
  "migration.cancelled": onMigration("cancelled"),
  "migration.configured": onMigration("changed the configuration of"),
  "org.connected": onOrg("connected"),
  "org.disconnected": onOrg("disconnected"),
};
