import { newId } from "@/lib/ids";
import { queryAsOwner } from "@/tests/service/setup/query-as-owner";

/** Gives somebody of another organization an e-mail address. Returns what deletes both again. */
export async function takeAddress(email: string): Promise<() => Promise<unknown>> {
  const id = newId();
  await queryAsOwner(
    `WITH other AS (INSERT INTO organizations (id, name, created_at) VALUES ($1, 'Elsewhere', now()) RETURNING id),
       taker AS (INSERT INTO users (id, email, name, created_at) VALUES ($1, $2, 'Eve Elsewhere', now()) RETURNING id)
     INSERT INTO memberships (organization_id, user_id, role, created_at)
     SELECT other.id, taker.id, 'member', now() FROM other, taker`,
    [id, email],
  );
  return async () => {
    await queryAsOwner("DELETE FROM users WHERE id = $1", [id]);
    await queryAsOwner("DELETE FROM organizations WHERE id = $1", [id]);
  };
}
