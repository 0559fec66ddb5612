import type { Access } from "../data/database";
import type { FaultRule } from "../faults/rule";
import { type Call, type Reply, ok } from "../server/call";
import type { SandboxOrg } from "../server/sandbox-org";
import { ControlError } from "./control-error";
import { mutate, type Change } from "./mutate";

/** The content of a rules file, or of a POST to /__control/rules. */
export interface RulesDocument {
  readonly rules?: readonly FaultRule[];
  readonly access?: Partial<Access>;
  /** False: the org has not installed the app, and authorize refuses. */
  readonly appInstalled?: boolean;
}

type Control = (org: SandboxOrg, call: Call) => Reply;

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw new ControlError("The body is not JSON.");
  }
}

/** Applies rules and access. An array contains only rules. */
export function applyRules(org: SandboxOrg, document: RulesDocument | readonly FaultRule[]): void {
  const { rules, access, appInstalled }: RulesDocument = "length" in document ? { rules: document } : document;
  if (rules) org.faults.set(rules);
  if (appInstalled !== undefined) org.appInstalled = appInstalled;
  if (access)
    org.database.restrict({ hiddenObjects: access.hiddenObjects ?? [], hiddenFields: access.hiddenFields ?? {} });
}

const CONTROLS: Readonly<Record<string, Control>> = {
  "GET /__control/rules": (org) =>
    ok({ rules: org.faults.rules.map(({ rule, matched, triggered }) => ({ ...rule, matched, triggered })) as never }),
  "POST /__control/rules": (org, { body }) => {
    applyRules(org, parse(body) as RulesDocument);
    return ok({ rules: org.faults.rules.length });
  },
  "PUT /__control/rules": (org, { body }) => {
    org.faults.add(parse(body) as FaultRule);
    return ok({ rules: org.faults.rules.length });
  },
  "DELETE /__control/rules": (org, { search }) => {
    org.faults.remove(search.get("id"));
    return ok({ rules: org.faults.rules.length });
  },
  "POST /__control/mutate": (org, { body }) => {
    const { changes } = parse(body) as { changes: readonly Change[] };
    return ok({ ids: changes.map((change) => mutate(org.database, change)) });
  },
  "GET /__control/stats": (org) => ok(org.stats.report()),
  "DELETE /__control/stats": (org) => {
    org.stats.reset();
    return ok({});
  },
  "POST /__control/expire-sessions": (org) => {
    org.sessions.expireAll();
    return ok({});
  },
  "POST /__control/accept-token": (org, { body }) => {
    org.sessions.accept((parse(body) as { token: string }).token);
    return ok({});
  },
  "POST /__control/expire-cursors": (org) => {
    org.cursors.expire();
    return ok({});
  },
  "POST /__control/expire-jobs": (org) => {
    org.jobs.expire();
    return ok({});
  },
};

/** Answers /__control/…, by which tests control the org. It needs no token: the server listens on loopback only. */
export function control(org: SandboxOrg, call: Call): Reply {
  const run = CONTROLS[`${call.method} ${call.path}`];
  if (!run)
    return {
      status: 404,
      json: { error: `There is no ${call.method} ${call.path}.`, controls: Object.keys(CONTROLS) },
    };
  try {
    return run(org, call);
  } catch (error) {
    if (error instanceof ControlError) return { status: 400, json: { error: error.message } };
    throw error;
  }
}
