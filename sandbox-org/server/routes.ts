import { abortJob, createJob, deleteJob, listJobs, showJob } from "../bulk/job-routes";
import { resultPages, results } from "../bulk/result-routes";
import { showAuthorize, submitAuthorize } from "../oauth/authorize";
import { identity, userinfo } from "../oauth/identity";
import { revoke, token } from "../oauth/token";
import { deleted, updated } from "../rest/changes";
import { blob } from "../rest/blob";
import { collection, composite, compositeBatch } from "../rest/composite";
import { limits, recordCount } from "../rest/limits";
import { basicInformation, describe, describeGlobal, record } from "../rest/objects";
import { query, queryAll, queryMore, toolingQuery } from "../rest/query";
import { resources, versions } from "../rest/root";
import type { Handler } from "./exchange";

export interface Route {
  readonly pattern: RegExp;
  /** True where no token is required. */
  readonly open: boolean;
  readonly methods: Readonly<Record<string, Handler>>;
}

/** `:` in the path stands for a segment that is passed to the handler. */
function route(path: string, methods: Readonly<Record<string, Handler>>, open = false): Route {
  const source = path.replaceAll(".", "\\.").replaceAll(":", "([^/]+)");
  return { pattern: new RegExp(`^${source}/?$`, "i"), open, methods };
}

/** Paths outside of a version. */
export const ROOT_ROUTES: readonly Route[] = [
  route("/services/oauth2/authorize", { GET: showAuthorize, POST: submitAuthorize }, true),
  route("/services/oauth2/token", { POST: token }, true),
  route("/services/oauth2/revoke", { POST: revoke, GET: revoke }, true),
  route("/services/oauth2/userinfo", { GET: userinfo, POST: userinfo }),
  route("/id/:/:", { GET: identity }),
  route("/services/data", { GET: versions }, true),
];

/** Paths under /services/data/vXX.0. */
export const VERSION_ROUTES: readonly Route[] = [
  route("", { GET: resources }),
  route("/sobjects", { GET: describeGlobal }),
  route("/sobjects/:", { GET: basicInformation }),
  route("/sobjects/:/describe", { GET: describe }),
  route("/sobjects/:/updated", { GET: updated }),
  route("/sobjects/:/deleted", { GET: deleted }),
  route("/sobjects/:/:", { GET: record }),
  route("/sobjects/:/:/:", { GET: blob }),
  route("/query", { GET: query }),
  route("/query/:", { GET: queryMore }),
  route("/queryAll", { GET: queryAll }),
  route("/queryAll/:", { GET: queryMore }),
  route("/tooling/query", { GET: toolingQuery }),
  route("/tooling/query/:", { GET: queryMore }),
  route("/limits", { GET: limits }),
  route("/limits/recordCount", { GET: recordCount }),
  route("/composite", { POST: composite }),
  route("/composite/batch", { POST: compositeBatch }),
  route("/composite/sobjects/:", { POST: collection }),
  route("/jobs/query", { GET: listJobs, POST: createJob }),
  route("/jobs/query/:", { GET: showJob, PATCH: abortJob, DELETE: deleteJob }),
  route("/jobs/query/:/results", { GET: results }),
  route("/jobs/query/:/resultPages", { GET: resultPages }),
];
