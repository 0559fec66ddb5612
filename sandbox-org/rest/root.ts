import { ok } from "../server/call";
import type { Handler } from "../server/exchange";
import { ApiError } from "../server/api-error";

/** Supported releases: Summer '24 was v61.0, Summer '26 is v67.0. */
const OLDEST_VERSION = 60;
const NEWEST_VERSION = 67;
const SEASONS = ["Spring", "Summer", "Winter"] as const;

function labelOf(version: number): string {
  const since = version - OLDEST_VERSION;
  const season = SEASONS[since % 3] ?? "Spring";
  const year = 24 + Math.floor(since / 3) + (season === "Winter" ? 1 : 0);
  return `${season} '${year}`;
}

/** Needs no authentication, as in real orgs. */
export const versions: Handler = () => {
  const all = Array.from({ length: NEWEST_VERSION - OLDEST_VERSION + 1 }, (_, i) => OLDEST_VERSION + i);
  return ok(
    all.map((version) => ({ label: labelOf(version), url: `/services/data/v${version}.0`, version: `${version}.0` })),
  );
};

export const resources: Handler = ({ root, org }) =>
  ok({
    sobjects: `${root}/sobjects`,
    query: `${root}/query`,
    queryAll: `${root}/queryAll`,
    tooling: `${root}/tooling`,
    limits: `${root}/limits`,
    composite: `${root}/composite`,
    jobs: `${root}/jobs`,
    identity: org.identityUrl,
  });

/** Throws NOT_FOUND for a version that does not exist. */
export function assertVersion(version: string): void {
  const number = Number(version.slice(1));
  if (!/^v\d+\.0$/.test(version) || number < OLDEST_VERSION || number > NEWEST_VERSION) {
    throw new ApiError(404, "NOT_FOUND", "The requested resource does not exist");
  }
}
