import {
  GET as getConfiguration,
  PUT as putConfiguration,
} from "@/app/api/v1/migration/[migration_id]/configuration/route";
import { POST as previewDuplicates } from "@/app/api/v1/migration/[migration_id]/duplicates/preview/route";
import { GET as listDuplicates } from "@/app/api/v1/migration/[migration_id]/duplicates/route";
import { GET as checkConfiguration } from "@/app/api/v1/migration/[migration_id]/configuration/check/route";
import { GET as exportConfiguration } from "@/app/api/v1/migration/[migration_id]/configuration/export/route";
import { POST as importConfiguration } from "@/app/api/v1/migration/[migration_id]/configuration/import/route";
import { GET as summarizeDuplicates } from "@/app/api/v1/migration/[migration_id]/duplicates/summary/route";
import { GET as downloadErrors } from "@/app/api/v1/migration/[migration_id]/errors/download/route";
import { GET as listErrors } from "@/app/api/v1/migration/[migration_id]/errors/route";
import { GET as summarizeErrors } from "@/app/api/v1/migration/[migration_id]/errors/summary/route";
import { GET as downloadReport } from "@/app/api/v1/migration/[migration_id]/report/download/route";
import { GET as getReport } from "@/app/api/v1/migration/[migration_id]/report/route";
import { GET as getMigration } from "@/app/api/v1/migration/[migration_id]/route";
import { POST as analyze } from "@/app/api/v1/migration/analyze/route";
import { POST as disconnect } from "@/app/api/v1/migration/connections/[connection_id]/disconnect/route";
import { POST as authorize } from "@/app/api/v1/migration/connections/authorize/route";
import { GET as listConnections } from "@/app/api/v1/migration/connections/route";
import { GET as listMigrations } from "@/app/api/v1/migration/route";
import { POST as run } from "@/app/api/v1/migration/run/route";
import { type SendRequests, sendDueRequests, storeRequests } from "@/inngest/job-requests";
import { type JobRequest, registerJobSender } from "@/lib/jobs";
import { pool } from "@/tests/support/owner";

const ORIGIN = "http://localhost:3000";

type Handler = (request: Request, target: { params: Promise<Record<string, string>> }) => Response | Promise<Response>;

const ROUTES: [pattern: RegExp, handler: Handler][] = [
  [/^GET \/migration$/, listMigrations],
  [/^POST \/migration\/analyze$/, analyze],
  [/^POST \/migration\/run$/, run],
  [/^GET \/migration\/connections$/, listConnections],
  [/^POST \/migration\/connections\/authorize$/, authorize],
  [/^POST \/migration\/connections\/(?<connection_id>[^/]+)\/disconnect$/, disconnect],
  [/^GET \/migration\/(?<migration_id>[^/]+)$/, getMigration],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/report$/, getReport],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/report\/download$/, downloadReport],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/configuration$/, getConfiguration],
  [/^PUT \/migration\/(?<migration_id>[^/]+)\/configuration$/, putConfiguration],
  [/^POST \/migration\/(?<migration_id>[^/]+)\/duplicates\/preview$/, previewDuplicates],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/configuration\/export$/, exportConfiguration],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/configuration\/check$/, checkConfiguration],
  [/^POST \/migration\/(?<migration_id>[^/]+)\/configuration\/import$/, importConfiguration],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/duplicates$/, listDuplicates],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/duplicates\/summary$/, summarizeDuplicates],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/errors$/, listErrors],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/errors\/summary$/, summarizeErrors],
  [/^GET \/migration\/(?<migration_id>[^/]+)\/errors\/download$/, downloadErrors],
];

export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  errors?: { pointer: string; code: string; detail: string }[];
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

/** The migration API as seen by a client with one access token. */
export class MigrationApi {
  constructor(private readonly token: string | null) {}

  get(path: string): Promise<Answer> {
    return this.send("GET", path);
  }

  post(path: string, body: unknown): Promise<Answer> {
    return this.send("POST", path, JSON.stringify(body));
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.send("PUT", path, JSON.stringify(body));
  }

  async send(method: string, path: string, body?: string, type = "application/json"): Promise<Answer> {
    const response = await this.request(method, path, body, type);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  async request(
    method: string,
    path: string,
    body?: string,
    type = "application/json",
    more?: Record<string, string>,
  ): Promise<Response> {
    const target = `${method} ${new URL(path, ORIGIN).pathname}`;
    const [pattern, handler] = ROUTES.find(([candidate]) => candidate.test(target)) ?? [];
    if (!pattern || !handler) throw new Error(`No route answers ${target}.`);
    const headers = {
      ...(this.token && { authorization: `Bearer ${this.token}` }),
      ...(body !== undefined && { "content-type": type }),
      ...more,
    };
    const request = new Request(`${ORIGIN}/api/v1${path}`, { method, headers, ...(body !== undefined && { body }) });
    return handler(request, { params: Promise.resolve({ ...pattern.exec(target)?.groups }) });
  }
}

/** The content of an answer that is a problem. */
export function problemIn({ body }: Answer): Problem {
  return body as unknown as Problem;
}

/** The ids of the items of a page, or another string field of them. */
export function idsIn({ data }: Record<string, unknown>, name = "migration_id"): string[] {
  return (data as Record<string, string>[]).map((item) => item[name] ?? "");
}

interface AskedJob {
  name: string;
  data: unknown;
  id: string;
}

interface RecordedJobs {
  asked: AskedJob[];
  /** Null: it answers again. */
  failWith(failure: Error | null): void;
  /** Sends what waits for the engine, as the sweeper does when it is time. */
  sendWaiting(): Promise<void>;
}

/** A fake Inngest server: records requested jobs, or fails with `failure`. */
export function recordJobs(): RecordedJobs {
  const asked: AskedJob[] = [];
  let failure: Error | null = null;
  const send: SendRequests = async (requests) => {
    if (failure) throw failure;
    asked.push(...requests);
  };
  registerJobSender(
    async (name, data, id) => send([{ name, data, id } as JobRequest]),
    (client, requests) => storeRequests(client, requests, send),
  );
  const sendWaiting = async () => {
    await pool().query("UPDATE job_requests SET next_attempt_at = now() - interval '1 second'");
    await sendDueRequests(send);
  };
  return { asked, failWith: (given) => (failure = given), sendWaiting };
}

/** The numbers of connections and migrations of an organization. */
export async function countStored(organizationId: string): Promise<{ connections: number; migrations: number }> {
  const count = async (table: string) =>
    (
      await pool().query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE organization_id = $1`, [
        organizationId,
      ])
    ).rows[0]?.n ?? -1;
  return { connections: await count("connections"), migrations: await count("migrations") };
}
