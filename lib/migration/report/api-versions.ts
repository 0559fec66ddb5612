import type { Report } from "@/lib/migration/report/report-schema";
import type { SalesforceClient } from "@/lib/salesforce/client";
import { MAX_VERSION, MIN_VERSION, offeredVersions } from "@/lib/salesforce/probe";
import { nullWhenUnanswered } from "@/lib/salesforce/refusals";

type ApiVersions = NonNullable<Report["api_versions"]>;

/**
 * Versions that Salesforce has retired, and those that it will retire (Salesforce Help 000354473, "API Versions 21.0
 * through 30.0 Retirement", and 005321531, "31.0 through 40.0").
 */
const RETIRED_UP_TO = 30;

const RETIRING = { up_to: 40, unsupported_from: "Summer '27", retired_from: "Summer '28" };

const inWords = (version: number) => version.toFixed(1);

/** The versions of the API that the org offers and that this service can use. */
export async function readApiVersions(client: SalesforceClient): Promise<ApiVersions> {
  const offered = await offeredVersions(client).catch(nullWhenUnanswered);
  return compareVersions(Number(client.apiVersion), offered);
}

/** Compares the version in use with those that both sides offer. `offered` null: the org does not say. */
export function compareVersions(used: number, offered: readonly number[] | null): ApiVersions {
  const newest = offered && offered.length > 0 ? Math.max(...offered) : null;
  const oldest = offered && offered.length > 0 ? Math.min(...offered) : null;
  const verdict = verdictOf(used, newest);
  return {
    used: inWords(used),
    ours: { oldest: inWords(MIN_VERSION), newest: inWords(MAX_VERSION) },
    org: newest === null || oldest === null ? null : { oldest: inWords(oldest), newest: inWords(newest) },
    retired_up_to: inWords(RETIRED_UP_TO),
    retiring: { ...RETIRING, up_to: inWords(RETIRING.up_to) },
    verdict,
    note: NOTES[verdict],
  };
}

function verdictOf(used: number, newest: number | null): ApiVersions["verdict"] {
  if (used <= RETIRED_UP_TO) return "retired";
  if (used <= RETIRING.up_to) return "retiring";
  if (newest === null) return "unknown";
  return newest > used ? "behind" : "current";
}

const NOTES: Record<ApiVersions["verdict"], string> = {
  current: "The migration uses the newest version that the org offers.",
  behind:
    "The org offers a newer version than this service was tested with. Nothing is to be done: Salesforce supports a " +
    "version for at least three years.",
  retiring: `Salesforce retires this version with ${RETIRING.retired_from}. Migrate before.`,
  retired: "Salesforce has retired this version. Update this service.",
  unknown: "The org does not say which versions it offers.",
};
