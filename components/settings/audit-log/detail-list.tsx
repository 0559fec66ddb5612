import type { ReactNode } from "react";

import { inWords } from "@/components/ui/text/format";
import classes from "@/components/settings/audit-log/detail-list.module.css";
import { TextLink } from "@/components/ui/text/links";

const LABELS = new Map([
  ["client_id", "Client ID"],
  ["redirect_uris", "Redirect URIs"],
  ["resource", "For"],
  ["tokens_stopped", "Access tokens stopped"],
  ["sessions_ended", "Browsers signed out"],
  ["member_id", "User id of the member"],
  ["member_email", "Member"],
  ["made_by", "Made by"],
  ["expires_at", "Works until"],
  ["overlap_hours", "Overlap in hours"],
  ["migration_id", "Migration"],
  ["org_name", "Salesforce org"],
  ["username", "Salesforce user"],
  ["connected_with", "Connected with"],
  ["connection_id", "Connection"],
  ["parts", "Changed parts"],
  ["send_events", "Events of imported records to webhooks"],
  ["method", "Way of signing in"],
  ["issuer", "OpenID provider"],
  ["subject", "Account there"],
]);

/** Values in words, by name and value. */
const VALUES = new Map([
  ["method password", "E-mail address and password"],
  ["method oidc", "OpenID provider"],
  ["connected_with access_token", "An access token"],
  ["connected_with salesforce_sign_in", "A sign-in at Salesforce"],
  ["reason unverified", "The provider has not verified the e-mail address"],
  ["reason disabled", "This person can no longer sign in"],
  ["reason no_organization", "This person belongs to no organization"],
  ["reason linked_elsewhere", "Linked to another account at the provider"],
]);

/** One detail with its label. */
export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.entry}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The details of an event with their labels. A detail that this page does not know has its name as label. */
export function Details({ details }: { details: Record<string, unknown> }) {
  const { before, ...others } = details;
  // PostgreSQL orders the keys of a JSON object itself.
  const inOrder = before === undefined ? others : { before, ...others };
  return Object.entries(inOrder).map(([name, value]) => (
    <Detail key={name} label={LABELS.get(name) ?? inWords(name)}>
      <Value name={name} value={value} />
    </Detail>
  ));
}

function Value({ name, value }: { name: string; value: unknown }): ReactNode {
  if (Array.isArray(value)) return <Items name={name} items={value} />;
  if (typeof value === "object" && value !== null) {
    return (
      <dl className={classes.nested}>
        <Details details={value as Record<string, unknown>} />
      </dl>
    );
  }
  if (name === "migration_id" && typeof value === "string")
    return <TextLink href={`/migration/${value}`}>Show the migration</TextLink>;
  return VALUES.get(`${name} ${String(value)}`) ?? plain(value);
}

function plain(value: unknown): string {
  if (value === null || value === "") return "—";
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return String(value);
}

function Items({ name, items }: { name: string; items: readonly unknown[] }) {
  if (items.length === 0) return name === "resource" ? "The whole API" : "None";
  return (
    <ul className={classes.items}>
      {items.map((item) => (
        <li key={JSON.stringify(item)}>
          <Value name={name} value={item} />
        </li>
      ))}
    </ul>
  );
}
