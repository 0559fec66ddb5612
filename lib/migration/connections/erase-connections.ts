import { pool } from "@/lib/database/db";
import { MIN_UUID } from "@/lib/ids";
import {
  connectionsWithTokens,
  type EndedConnection,
  endConnections,
  revokeAccess,
  tokenOf,
  tryToRevoke,
} from "@/lib/migration/connections/end-connections";
import { isTransient } from "@/lib/migration/failure";

/** How many answers of hosts are read at a time, and how many connections a killed worker tries again. */
const REVOKED_AT_ONCE = 20;

/**
 * Revokes the access to all Salesforce orgs of an organization where Salesforce allows it, and deletes it here. Throws
 * where an org cannot be reached at the moment: its tokens stay, since nobody else could revoke them later. An org that
 * is gone must not keep an organization for ever, so the last attempt deletes all of them.
 */
export async function eraseConnections(organizationId: string, isLastAttempt: boolean): Promise<void> {
  const outages: Error[] = [];
  for (let after: string | undefined = MIN_UUID; after !== undefined;) {
    const batch = await connectionsWithTokens(organizationId, after, REVOKED_AT_ONCE);
    outages.push(...(await eraseBatch(organizationId, batch, isLastAttempt)));
    after = batch.at(-1)?.id;
  }
  if (outages[0]) throw outages[0];
}

/** Returns the errors because of which tokens stay. */
async function eraseBatch(
  organizationId: string,
  connections: readonly EndedConnection[],
  isLastAttempt: boolean,
): Promise<Error[]> {
  const outages = new Map<string, Error>();
  const revoke = async (connection: EndedConnection) => {
    const outage = await outageOfRevoking(connection);
    if (outage && !isLastAttempt) outages.set(connection.id, outage);
  };
  await Promise.all(connections.map(revoke));
  const ids = connections.map(({ id }) => id).filter((id) => !outages.has(id));
  const ended = await endConnections(pool(), organizationId, ids);
  // A job may have renewed tokens meanwhile.
  const known = new Set(connections.map(tokenOf));
  await revokeAccess(ended.filter((connection) => !known.has(tokenOf(connection))));
  return [...outages.values()];
}

/** Revokes the access of a connection. Returns the error after which a repeat may succeed, or null. */
async function outageOfRevoking(connection: EndedConnection): Promise<Error | null> {
  const token = tokenOf(connection);
  const error = token === null ? null : await tryToRevoke(connection.revokedAt, token);
  return isTransient(error) ? error : null;
}
