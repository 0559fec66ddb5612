import { BulkJobs } from "../bulk/bulk-jobs";
import { Database } from "../data/database";
import { FaultRules } from "../faults/fault-rules";
import { openOrg } from "../generator/population";
import { RUNNING_USER } from "../generator/owners";
import { idOf } from "../generator/references";
import { organizationId } from "../objects/setup";
import { Sessions } from "../oauth/sessions";
import { QueryCursors } from "../rest/query-cursors";
import type { Options } from "./options";
import { Stats } from "./stats";

/** The state of one running org: records, sessions, open cursors and jobs, fault rules. */
export class SandboxOrg {
  readonly database: Database;
  readonly cursors: QueryCursors;
  readonly jobs: BulkJobs;
  readonly sessions: Sessions;
  readonly faults: FaultRules;
  readonly stats = new Stats();
  /** False: authorize refuses, as orgs that have not installed the app do since September 2025. */
  appInstalled = true;
  /** `http://127.0.0.1:PORT`, once the server listens. */
  instanceUrl = "";

  constructor(readonly options: Options) {
    const org = openOrg(options.seed, options.records);
    this.database = new Database(org);
    this.faults = new FaultRules(org.seed);
    this.cursors = new QueryCursors(org.seed);
    this.jobs = new BulkJobs(org.seed);
    this.sessions = new Sessions(organizationId(org).slice(0, 15), options);
  }

  get organizationId(): string {
    return organizationId(this.database.org);
  }

  get userId(): string {
    return idOf(this.database.org, "User", RUNNING_USER);
  }

  get identityUrl(): string {
    return `${this.instanceUrl}/id/${this.organizationId}/${this.userId}`;
  }
}
