interface ActionGroup {
  /** Its name in the page's address. */
  name: string;
  label: string;
  actions: Record<string, string>;
}

/** The actions in the filter, in groups, each with the label of its option. */
export const ACTION_GROUPS: readonly ActionGroup[] = [
  {
    name: "sign_ins",
    label: "Sign-ins",
    actions: {
      "sign_in.succeeded": "Signed in",
      "sign_in.failed": "Failed to sign in",
      "sign_in.throttled": "Kept from signing in",
      sign_out: "Signed out",
      "session.ended": "Browsers signed out from the account page",
    },
  },
  {
    name: "passwords",
    label: "Passwords",
    actions: {
      "password.changed": "Password changed",
      "password.refused": "Wrong current password",
      "password_link.created": "One-time link made",
      "password_link.used": "One-time link used",
    },
  },
  {
    name: "members",
    label: "Members",
    actions: {
      "member.added": "Member added",
      "member.role_changed": "Role changed",
      "member.disabled": "Member disabled",
      "member.enabled": "Member enabled",
      "member.removed": "Member removed",
      "member.sessions_ended": "Member signed out by an admin",
      "user.linked": "User linked to the OpenID provider",
      "user.joined": "User joined through the OpenID provider",
    },
  },
  {
    name: "organization",
    label: "Organization",
    actions: {
      "organization.updated": "Organization changed",
      "organization.exported": "All data exported",
      "person.renamed": "Own name changed",
    },
  },
  {
    name: "clients",
    label: "API clients",
    actions: {
      "client.created": "API client created",
      "client.updated": "API client changed",
      "client.secret_rotated": "Client secret rotated",
      "client.secret_ended": "Old client secret ended",
      "client.revoked": "API client revoked",
      "client.refused": "API client refused",
    },
  },
  {
    name: "allowed",
    label: "Allowed apps",
    actions: {
      "consent.given": "App allowed",
      "consent.denied": "App not allowed",
      "grant.revoked": "Access of an app removed",
    },
  },
  {
    name: "tokens",
    label: "Access tokens",
    actions: {
      "token.issued": "Access token issued",
      "token.revoked": "Access token revoked",
      "code.replayed": "Authorization code used twice",
    },
  },
  {
    name: "webhooks",
    label: "Webhooks",
    actions: {
      "webhook.created": "Webhook created",
      "webhook.updated": "Webhook changed",
      "webhook.secret_rotated": "Webhook secret rotated",
      "webhook.resent": "Webhook delivery resent",
      "webhook.recovered": "Webhook deliveries recovered",
      "webhook.deleted": "Webhook deleted",
      "webhook.disabled": "Webhook switched off automatically",
    },
  },
  {
    name: "migrations",
    label: "Migrations",
    actions: {
      "org.connected": "Salesforce org connected",
      "org.disconnected": "Salesforce org disconnected",
      "migration.configured": "Migration configured",
      "migration.started": "Migration started",
      "migration.paused": "Migration paused",
      "migration.resumed": "Migration resumed",
      "migration.retried": "Failed records retried",
      "migration.delta_started": "Delta started",
      "migration.deltas_scheduled": "Schedule of deltas changed",
      "migration.cancelled": "Migration cancelled",
      "migration.undone": "Migration undone",
      "migration.conflicts_decided": "Conflicts of a migration decided",
    },
  },
];

/** Marked with a warning sign. */
const ALARMING = new Set([
  "sign_in.failed",
  "sign_in.throttled",
  "password.refused",
  "client.refused",
  "code.replayed",
  "webhook.disabled",
]);

export function isAlarming(action: string): boolean {
  return ALARMING.has(action);
}

/** The actions of a choice in the filter: those of a group, or a single one. Undefined for an unknown choice. */
export function actionsOf(choice: string): readonly string[] | undefined {
  const group = ACTION_GROUPS.find(({ name }) => name === choice);
  if (group) return Object.keys(group.actions);
  return ACTION_GROUPS.some(({ actions }) => Object.hasOwn(actions, choice)) ? [choice] : undefined;
}
