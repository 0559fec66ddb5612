import { queryAsOwner } from "@/tests/service/setup/query-as-owner";

/** Deletes the answers stored for idempotency keys, as when there was no room for them. The requests stay done. */
export async function deleteStoredAnswers(organizationId: string): Promise<void> {
  await queryAsOwner("UPDATE idempotency_keys SET body = NULL WHERE organization_id = $1 AND status IS NOT NULL", [
    organizationId,
  ]);
}
