import { get, patch, post, remove, type Route } from "@/lib/http/openapi/route";
import { endClientSecret, rotateClientSecret } from "@/lib/oauth/clients/client-secrets";
import { listGrants, revokeGrant } from "@/lib/oauth/clients/grants";
import { getClient, listClients } from "@/lib/oauth/clients/read-clients";
import { createClient } from "@/lib/oauth/clients/register-client";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { updateClient } from "@/lib/oauth/clients/update-client";
import { endOtherSessions, endOwnSession, listSessions } from "@/lib/sessions/browser-sessions/own-sessions";
import { addMember } from "@/lib/sessions/members/add-member";
import { endMemberSessions, removeMember, updateMember } from "@/lib/sessions/members/change-member";
import { listMembers } from "@/lib/sessions/members/list-members";
import { makePasswordLink } from "@/lib/sessions/members/password-link";
import { listAuditEvents } from "@/lib/settings/audit-log";

/** The routes of the settings, for signed-in people. No access token opens any of them. */
export const SETTINGS_ROUTES: readonly Route[] = [
  get("/settings/audit_events", listAuditEvents),
  get("/settings/clients", listClients),
  post("/settings/clients", createClient, { statuses: [201] }),
  get("/settings/clients/{id}", getClient),
  patch("/settings/clients/{id}", updateClient),
  remove("/settings/clients/{id}", revokeClient),
  post("/settings/clients/{id}/rotate_secret", rotateClientSecret),
  remove("/settings/clients/{id}/secrets/{secret_id}", endClientSecret),
  get("/settings/grants", listGrants),
  remove("/settings/grants/{id}", revokeGrant),
  get("/settings/members", listMembers),
  post("/settings/members", addMember, { statuses: [201], refuses: ["conflict"] }),
  patch("/settings/members/{user_id}", updateMember, { refuses: ["illegal_state"] }),
  remove("/settings/members/{user_id}", removeMember, { refuses: ["illegal_state"] }),
  post("/settings/members/{user_id}/end_sessions", endMemberSessions, { refuses: ["illegal_state"] }),
  post("/settings/members/{user_id}/password_link", makePasswordLink, { refuses: ["illegal_state"] }),
  get("/settings/sessions", listSessions),
  post("/settings/sessions/end_others", endOtherSessions),
  remove("/settings/sessions/{id}", endOwnSession),
];
