import type { ErrorCode } from "@/lib/errors";
import { get, patch, post, remove, type Route, put } from "@/lib/http/openapi/route";
import { downloadFile, getFile, listFiles } from "@/lib/files/read-files";
import { analyzeMigration } from "@/lib/migration/analyze-migration";
import { getConfiguration, putConfiguration } from "@/lib/migration/configuration/configure-migration";
import {
  checkConfiguration,
  exportConfiguration,
  importConfiguration,
} from "@/lib/migration/configuration/exported-configuration";
import { disconnectOrg, listConnections } from "@/lib/migration/connections/connected-orgs";
import { reconnectMigration } from "@/lib/migration/connections/reconnect-migration";
import { authorizeConnection } from "@/lib/migration/connections/sign-in";
import { cancelMigration, pauseMigration, resumeMigration } from "@/lib/migration/runs/control-run";
import { scheduleDeltas, unscheduleDeltas } from "@/lib/migration/runs/delta-schedule";
import { startMigrationDelta } from "@/lib/migration/runs/start-delta";
import { downloadRecordIssues } from "@/lib/migration/download-issues";
import { retryMigration } from "@/lib/migration/runs/start-retry";
import { listDuplicates, summarizeDuplicates } from "@/lib/migration/duplicates/list-duplicates";
import { previewDuplicates } from "@/lib/migration/duplicates/preview-duplicates";
import { previewMigration } from "@/lib/migration/preview/preview-migration";
import { getProof, proveMigration } from "@/lib/migration/proof/prove-migration";
import { makeInactiveMembers } from "@/lib/migration/owners/make-members";
import { listOwners } from "@/lib/migration/owners/list-owners";
import { getAnalysisProgress } from "@/lib/migration/report/analysis-progress";
import { downloadReport, getMigration, getReport, listMigrations } from "@/lib/migration/read-migrations";
import { decideConflicts } from "@/lib/migration/conflicts/decide-conflicts";
import { listConflicts } from "@/lib/migration/conflicts/list-conflicts";
import { listRelationships } from "@/lib/migration/relationships/list-relationships";
import { listRecordIssues, summarizeRecordIssues } from "@/lib/migration/record-issues";
import { startMigration } from "@/lib/migration/runs/start-migration";
import { listHistory } from "@/lib/migration/history/list-history";
import { getUndoImpact } from "@/lib/migration/undo/undo-impact";
import { listKeptRecords, undoMigration } from "@/lib/migration/undo/undo-migration";
import { endClientSecret, rotateClientSecret } from "@/lib/oauth/clients/client-secrets";
import { listGrants, revokeGrant } from "@/lib/oauth/clients/grants";
import { getClient, listClients } from "@/lib/oauth/clients/read-clients";
import { createClient } from "@/lib/oauth/clients/register-client";
import { revokeClient } from "@/lib/oauth/clients/revoke-client";
import { updateClient } from "@/lib/oauth/clients/update-client";
import { batchOperation } from "@/lib/records/batch/batch-operation";
import { createCommentOfCase, listCommentsOfCase } from "@/lib/records/case-thread";
import { escalateCase } from "@/lib/records/escalate-case";
import { listEvents } from "@/lib/records/events/list-events";
import { getByExtIdOperation, upsertOperation } from "@/lib/records/ext-id-operations";
import { convertLead } from "@/lib/records/lead-conversion/convert-lead";
import {
  createOperation,
  deleteOperation,
  getOperation,
  listOperation,
  restoreOperation,
  updateOperation,
} from "@/lib/records/operations";
import { listDeletedRecords } from "@/lib/records/delete/list-deleted";
import { exportOperation } from "@/lib/records/list/export-records";
import { RESOURCES, type ResourceName } from "@/lib/records/schema/resources";
import { getPipeline } from "@/lib/records/sales-pipeline";
import { getRecordCounts } from "@/lib/records/record-counts";
import { provenanceOperation } from "@/lib/records/provenance";
import { searchRecords } from "@/lib/records/search-records";
import { listStageChanges } from "@/lib/records/stage-history";
import { endOtherSessions, endOwnSession, listSessions } from "@/lib/sessions/browser-sessions/own-sessions";
import { addMember } from "@/lib/sessions/members/add-member";
import { endMemberSessions, removeMember, updateMember } from "@/lib/sessions/members/change-member";
import { listMembers } from "@/lib/sessions/members/list-members";
import { inviteMember } from "@/lib/sessions/members/invite-member";
import { makePasswordLink } from "@/lib/sessions/members/password-link";
import { renameOneself } from "@/lib/sessions/people/rename-oneself";
import { getUser, listUsers } from "@/lib/sessions/people/users";
import { listAuditEvents } from "@/lib/settings/audit-log";
import { deleteOrganization, getDeletionImpact } from "@/lib/settings/organization/delete-organization";
import { exportOrganization } from "@/lib/settings/organization/export/export-organization";
import { getOrganization } from "@/lib/settings/organization/read-organization";
import { updateOrganization } from "@/lib/settings/organization/update-organization";
import { getSavedViews, putSavedViews } from "@/lib/settings/views/saved-views";
import { getDelivery, listDeliveries } from "@/lib/webhooks/deliveries/read-deliveries";
import { recoverWebhook } from "@/lib/webhooks/deliveries/recover-webhook";
import { resendDelivery } from "@/lib/webhooks/deliveries/resend-delivery";
import { sendTest } from "@/lib/webhooks/deliveries/send-test";
import { createWebhook } from "@/lib/webhooks/endpoints/create-webhook";
import { deleteWebhook } from "@/lib/webhooks/endpoints/delete-webhook";
import { getWebhook, listWebhooks } from "@/lib/webhooks/endpoints/read-webhooks";
import { rotateSecret } from "@/lib/webhooks/endpoints/rotate-secret";
import { updateWebhook } from "@/lib/webhooks/endpoints/update-webhook";

/** The routes of the settings, for signed-in people. No access token opens any of them. */
const SETTINGS_ROUTES: readonly Route[] = [
  get("/settings/audit_events", listAuditEvents),
  get("/settings/clients", listClients),
  post("/settings/clients", createClient),
  get("/settings/clients/{id}", getClient),
  patch("/settings/clients/{id}", updateClient),
  remove("/settings/clients/{id}", revokeClient),
  post("/settings/clients/{id}/rotate_secret", rotateClientSecret),
  remove("/settings/clients/{id}/secrets/{secret_id}", endClientSecret),
  get("/settings/grants", listGrants),
  remove("/settings/grants/{id}", revokeGrant),
  get("/settings/members", listMembers),
  post("/settings/members", addMember, { refuses: ["conflict"] }),
  patch("/settings/members/{user_id}", updateMember, { refuses: ["illegal_state", "storage_quota_exceeded"] }),
  remove("/settings/members/{user_id}", removeMember, { refuses: ["illegal_state"] }),
  post("/settings/members/{user_id}/invite", inviteMember, { refuses: ["conflict", "illegal_state"] }),
  post("/settings/members/{user_id}/end_sessions", endMemberSessions, { refuses: ["illegal_state"] }),
  post("/settings/members/{user_id}/password_link", makePasswordLink, { refuses: ["illegal_state"] }),
  patch("/settings/account", renameOneself),
  get("/settings/organization", getOrganization),
  patch("/settings/organization", updateOrganization),
  get("/settings/organization/export", exportOrganization, { headers: ["content-disposition"] }),
  get("/settings/organization/deletion", getDeletionImpact),
  post("/settings/organization/delete", deleteOrganization, { refuses: ["illegal_state"] }),
  get("/settings/views", getSavedViews),
  put("/settings/views", putSavedViews),
  get("/settings/sessions", listSessions),
  post("/settings/sessions/end_others", endOtherSessions),
  remove("/settings/sessions/{id}", endOwnSession),
];

const WEBHOOK_ROUTES: readonly Route[] = [
  get("/webhooks", listWebhooks),
  post("/webhooks", createWebhook, { refuses: ["conflict"] }),
  get("/webhooks/{id}", getWebhook),
  patch("/webhooks/{id}", updateWebhook),
  remove("/webhooks/{id}", deleteWebhook),
  post("/webhooks/{id}/rotate_secret", rotateSecret),
  post("/webhooks/{id}/test", sendTest),
  post("/webhooks/{id}/recover", recoverWebhook, { refuses: ["illegal_state"] }),
  get("/webhooks/{id}/deliveries", listDeliveries),
  get("/webhooks/{id}/deliveries/{event_id}", getDelivery),
  post("/webhooks/{id}/deliveries/{event_id}/resend", resendDelivery, { refuses: ["illegal_state"] }),
];

/** The routes that each of the eight resources has. */
function recordRoutes(resource: ResourceName): Route[] {
  const changeRefuses: ErrorCode[] = resource === "leads" ? ["illegal_state"] : [];
  const all = `/${resource}`;
  const one = `/${resource}/{id}`;
  const byExtId = `/${resource}/by_ext_id/{ext_id}`;
  return [
    get(all, listOperation(resource)),
    post(all, createOperation(resource), { refuses: ["conflict"] }),
    get(one, getOperation(resource)),
    patch(one, updateOperation(resource), { refuses: ["conflict", ...changeRefuses] }),
    remove(one, deleteOperation(resource)),
    post(`${one}/restore`, restoreOperation(resource), { refuses: ["conflict"] }),
    get(`${one}/provenance`, provenanceOperation(resource)),
    get(byExtId, getByExtIdOperation(resource)),
    // An external id that is in use is no conflict here: it identifies the record.
    put(byExtId, upsertOperation(resource), {
      statuses: [200, 201],
      refuses: resource === "products" ? ["conflict"] : changeRefuses,
    }),
    get(`${all}/export`, exportOperation(resource), { headers: ["content-disposition"] }),
    post(`${all}/batch`, batchOperation(resource), { refuses: ["conflict", ...changeRefuses] }),
  ];
}

const ACTION_ROUTES: readonly Route[] = [
  post("/cases/{id}/escalate", escalateCase, { refuses: ["illegal_state"] }),
  post("/leads/{id}/convert", convertLead, { refuses: ["conflict"] }),
  get("/files", listFiles),
  get("/files/{id}", getFile),
  get("/files/{id}/content", downloadFile, { headers: ["content-disposition"] }),
  get("/cases/{id}/comments", listCommentsOfCase),
  post("/cases/{id}/comments", createCommentOfCase, { refuses: ["conflict"] }),
  get("/opportunities/{id}/stage_changes", listStageChanges),
  get("/pipeline", getPipeline),
  get("/record_counts", getRecordCounts),
  get("/deleted_records", listDeletedRecords),
  get("/search", searchRecords),
  get("/events", listEvents),
  get("/users", listUsers),
  get("/users/{id}", getUser),
];

/** Problems of a Salesforce org that is known, or of signing in there. */
const ORG_REFUSALS: readonly ErrorCode[] = [
  "source_not_salesforce",
  "source_unreachable",
  "source_limit_exceeded",
  "source_error",
  "source_sign_in_not_set_up",
];

/** Problems of a host that should be a Salesforce org. */
const HOST_REFUSALS: readonly ErrorCode[] = ["source_url_invalid", ...ORG_REFUSALS];

/** Further problems when a Salesforce org is tried with an access token. */
const TOKEN_REFUSALS: readonly ErrorCode[] = ["source_token_refused", "source_api_disabled", "source_access_denied"];

const MIGRATION_ROUTES: readonly Route[] = [
  get("/migration", listMigrations),
  post("/migration/analyze", analyzeMigration, {
    refuses: ["not_found", "conflict", ...HOST_REFUSALS, ...TOKEN_REFUSALS],
  }),
  post("/migration/run", startMigration, { refuses: ["not_found", "conflict", "illegal_state"] }),
  get("/migration/connections", listConnections),
  post("/migration/connections/{connection_id}/disconnect", disconnectOrg),
  post("/migration/connections/authorize", authorizeConnection, { refuses: HOST_REFUSALS }),
  get("/migration/{migration_id}", getMigration),
  get("/migration/{migration_id}/analysis", getAnalysisProgress),
  get("/migration/{migration_id}/report", getReport, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/report/download", downloadReport, {
    refuses: ["illegal_state"],
    headers: ["content-disposition"],
  }),
  get("/migration/{migration_id}/configuration", getConfiguration),
  put("/migration/{migration_id}/configuration", putConfiguration, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/configuration/export", exportConfiguration, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/configuration/check", checkConfiguration, { refuses: ["illegal_state"] }),
  post("/migration/{migration_id}/configuration/import", importConfiguration, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/relationships", listRelationships, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/owners", listOwners, { refuses: ["illegal_state"] }),
  post("/migration/{migration_id}/owners/members", makeInactiveMembers, { refuses: ["conflict", "illegal_state"] }),
  get("/migration/{migration_id}/duplicates", listDuplicates),
  get("/migration/{migration_id}/duplicates/summary", summarizeDuplicates),
  post("/migration/{migration_id}/duplicates/preview", previewDuplicates, {
    refuses: ["illegal_state"],
  }),
  post("/migration/{migration_id}/preview", previewMigration, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/proof", getProof),
  post("/migration/{migration_id}/proof", proveMigration, { refuses: ["conflict", "illegal_state"] }),
  get("/migration/{migration_id}/history", listHistory),
  post("/migration/{migration_id}/pause", pauseMigration, { refuses: ["illegal_state"] }),
  post("/migration/{migration_id}/resume", resumeMigration, { refuses: ["illegal_state"] }),
  post("/migration/{migration_id}/delta", startMigrationDelta, {
    refuses: ["conflict", "illegal_state"],
  }),
  put("/migration/{migration_id}/delta/schedule", scheduleDeltas, { refuses: ["illegal_state"] }),
  remove("/migration/{migration_id}/delta/schedule", unscheduleDeltas),
  post("/migration/{migration_id}/retry", retryMigration, { refuses: ["conflict", "illegal_state"] }),
  post("/migration/{migration_id}/cancel", cancelMigration, { refuses: ["illegal_state"] }),
  post("/migration/{migration_id}/reconnect", reconnectMigration, {
    refuses: ["conflict", "illegal_state", ...HOST_REFUSALS, ...TOKEN_REFUSALS],
  }),
  post("/migration/{migration_id}/undo", undoMigration, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/undo/impact", getUndoImpact),
  get("/migration/{migration_id}/undo/kept", listKeptRecords),
  get("/migration/{migration_id}/conflicts", listConflicts),
  post("/migration/{migration_id}/conflicts/decide", decideConflicts, { refuses: ["illegal_state"] }),
  get("/migration/{migration_id}/errors", listRecordIssues),
  get("/migration/{migration_id}/errors/summary", summarizeRecordIssues),
  get("/migration/{migration_id}/errors/download", downloadRecordIssues, { headers: ["content-disposition"] }),
];

/** Every path and method below `/api/v1` that runs an operation. A test compares it with the route files. */
export const ROUTES: readonly Route[] = [
  ...RESOURCES.flatMap(recordRoutes),
  ...ACTION_ROUTES,
  ...WEBHOOK_ROUTES,
  ...MIGRATION_ROUTES,
  ...SETTINGS_ROUTES,
];

/**
 * The routes that an access token can open. The others are for people in the settings, and are not part of the
 * documented API.
 */
export const PUBLIC_ROUTES: readonly Route[] = ROUTES.filter(({ operation }) => operation.people === undefined);
