import { z } from "zod";

import { SMALL } from "@/lib/salesforce/answer-bounds";
import { type ClientOptions, openClient, type SalesforceClient } from "@/lib/salesforce/client";
import { SalesforceError } from "@/lib/salesforce/errors";
import { to18, isSalesforceId } from "@/lib/salesforce/ids";
import { query, soqlString } from "@/lib/salesforce/query";
import { isQueryRefused } from "@/lib/salesforce/refusals";

/** The timeout of all requests of one connect together. Renewing and revoking tokens takes additional time. */
const INTERACTIVE_TIMEOUT_MS = 45_000;

/**
 * Timeouts for a user who is waiting: fail soon rather than retry for long. All requests with these options together
 * must end within `totalMs`.
 */
export function interactiveTimeouts(
  totalMs = INTERACTIVE_TIMEOUT_MS,
): Required<Pick<ClientOptions, "timeoutMs" | "retry" | "deadline">> {
  return { timeoutMs: 15_000, retry: { retries: 1, backoffMs: 250 }, deadline: AbortSignal.timeout(totalMs) };
}

const resources = z.looseObject({ identity: z.string().max(2000).optional() });

const name = z.string().max(255).nullable();

const organization = z.object({
  Id: z.string().refine(isSalesforceId).nullable(),
  Name: name,
  IsSandbox: z.boolean().nullable(),
});

const user = z.object({ Username: name });

const UNKNOWN = { Id: null, Name: null, IsSandbox: null };

/** The identity of an org. Null: the user may not see it. */
export interface OrgIdentity {
  instanceUrl: string;
  apiVersion: string;
  /** 18-character ids. */
  orgId: string | null;
  userId: string | null;
  orgName: string | null;
  username: string | null;
  isSandbox: boolean | null;
}

/**
 * Finds the API version that a host offers. The request needs no access token, so none is sent to a host that may not
 * be Salesforce. Throws `source_unreachable` or `source_not_salesforce`.
 */
export async function findVersion(instanceUrl: string, timeouts = interactiveTimeouts()): Promise<string> {
  const client = openClient({ instanceUrl, accessToken: null, apiVersion: "0.0", ...timeouts, retry: { retries: 0 } });
  const host = new URL(instanceUrl).host;
  const offered = await client.json("/services/data/", versionList).catch((error: unknown) => {
    if (error instanceof SalesforceError && error.status !== null && !error.transient) {
      const detail =
        `${host} is not a Salesforce org: it does not answer as Salesforce does. Enter your org's My Domain address, ` +
        "https://acme.my.salesforce.com.";
      throw new SalesforceError("source_not_salesforce", detail, { status: error.status, cause: error });
    }
    throw error;
  });
  const version = pickVersion(offered);
  if (version) return version;
  throw new SalesforceError("source_error", `${host} offers no API version that this service can use (47.0 to 67.0).`);
}

/**
 * Reads the identity of an org with an access token. Throws `source_token_refused`, `source_api_disabled` and similar
 * errors.
 */
export async function probeOrg(
  instanceUrl: string,
  accessToken: string,
  timeouts = interactiveTimeouts(),
): Promise<OrgIdentity> {
  const apiVersion = await findVersion(instanceUrl, timeouts);
  return identifyOrg(openClient({ instanceUrl, accessToken, apiVersion, ...timeouts }));
}

/** As {@link probeOrg}, for a client that is already open. */
export async function identifyOrg(client: SalesforceClient): Promise<OrgIdentity> {
  const { identity } = await client.json(client.dataPath, resources);
  const { Id, Name, IsSandbox } =
    (await first(client, "SELECT Id, Name, IsSandbox FROM Organization LIMIT 1", organization)) ?? UNKNOWN;
  // https://login.salesforce.com/id/00D…/005…: on another host, so the URL is parsed, not fetched.
  const [orgId = Id && to18(Id), userId = null] = (identity ?? "")
    .split("/")
    .slice(-2)
    .filter(isSalesforceId)
    .map(to18);
  const me = userId && (await first(client, `SELECT Username FROM User WHERE Id = ${soqlString(userId)}`, user));
  return {
    instanceUrl: client.origin,
    apiVersion: client.apiVersion,
    orgId,
    userId,
    orgName: Name,
    username: me ? me.Username : null,
    isSandbox: IsSandbox,
  };
}

/** The first record, or null if the user may not read the object. Names are optional. */
async function first<Schema extends z.ZodType>(
  client: SalesforceClient,
  soql: string,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const page = await query(client, soql, { bound: SMALL }).catch((error: unknown) => {
    if (isQueryRefused(error)) return null;
    throw error;
  });
  return schema.safeParse(page?.records[0]).data ?? null;
}

/** The newest API version that this service was tested with (Summer '26). */
export const MAX_VERSION = 67;

/** Older versions lack recordCount and the virtual objects that list flows. */
export const MIN_VERSION = 47;

const versionList = z
  .array(z.object({ version: z.string().regex(/^\d{1,4}\.\d$/) }))
  .min(1)
  .max(1000);

/** The versions that an org offers, as numbers. */
export async function offeredVersions(client: SalesforceClient): Promise<number[]> {
  return (await client.json("/services/data/", versionList)).map(({ version }) => Number(version));
}

/** The newest version that both sides support, "67.0"; null if the org offers none that is new enough. */
export function pickVersion(offered: z.output<typeof versionList>): string | null {
  const usable = offered
    .map(({ version }) => Number(version))
    .filter((version) => version >= MIN_VERSION && version <= MAX_VERSION);
  return usable.length > 0 ? Math.max(...usable).toFixed(1) : null;
}
