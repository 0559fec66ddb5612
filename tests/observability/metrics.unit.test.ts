import { globSync, readFileSync } from "node:fs";

import { afterAll, expect, onTestFinished, test } from "vitest";

import { env } from "@/lib/env";
import { metricsResponse } from "@/lib/http/api/metrics-response";
import { registerMetrics } from "@/lib/observability/instruments";
import { openMetrics } from "@/lib/observability/open-metrics";
import { send } from "@/lib/webhooks/sending/send";
import { templateOf } from "@/scripts/service/web/route-templates";
import { readSettings } from "@/tests/support/read-settings";

const TOKEN = "a-token-for-scrapers-with-32-characters";

const { METRICS_TOKEN } = env;
const opened = await openMetrics();

afterAll(() => {
  env.METRICS_TOKEN = METRICS_TOKEN;
  registerMetrics(undefined);
});

function ask(authorization?: string, isAddressShared = false): Promise<Response> {
  const headers = new Headers(authorization === undefined ? {} : { authorization });
  return metricsResponse(new Request("http://localhost/api/metrics", { headers }), { isAddressShared });
}

/** The names that Prometheus would store: a histogram has three. */
async function exportedNames(): Promise<Set<string>> {
  const exposition = await opened.registry.metrics();
  const types = [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(
    types.flatMap(([, name = "", type]) =>
      type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
}

/** Names of metrics in a text: what begins as ours or Node's do. */
function metricsIn(text: string): string[] {
  return [...new Set(text.match(/\b(?:crm|nodejs|process)_[a-z0-9_]+\b/g))];
}

function base(name: string): string {
  return name.replace(/_(?:bucket|count|sum)$/, "");
}

test("the dashboard and the alerts ask for metrics that exist, and the document names each of ours", async () => {
  const names = await exportedNames();
  const dashboard = metricsIn(readFileSync("docs/observability/dashboard.json", "utf8"));
  expect(dashboard.length).toBeGreaterThan(15);
  expect(dashboard.filter((name) => !names.has(name))).toEqual([]);
  const documented = metricsIn(readFileSync("docs/observability.md", "utf8"));
  const bases = new Set([...names].map(base));
  expect(documented.filter((name) => !bases.has(base(name)))).toEqual([]);
  const known = new Set(documented.map(base));
  expect([...bases].filter((name) => name.startsWith("crm_") && !known.has(name))).toEqual([]);
});

test("every selector of the dashboard and of the alerts names the job, since others may have such metrics, too", () => {
  const { panels } = JSON.parse(readFileSync("docs/observability/dashboard.json", "utf8")) as {
    panels: { targets: { expr: string }[] }[];
  };
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  expect(queries.filter((query) => !namesJob(query, 'job=~"$job"'))).toEqual([]);
  const text = readFileSync("docs/observability.md", "utf8");
  const [alerts = ""] = /^### Suggested alerts$[^]*?(?=^## )/m.exec(text) ?? [];
  const conditions = [...alerts.matchAll(/^\| `([^`]+)`/gm)].map(([, condition = ""]) => condition);
  expect(conditions.length).toBeGreaterThan(8);
  expect(conditions.filter((condition) => !namesJob(condition, 'job="crm"'))).toEqual([]);
});

function namesJob(query: string, job: string): boolean {
  const selectors = query.match(/\b(?:crm_|nodejs_|process_|up\b)\w*(?:\{[^}]*\})?/g) ?? [];
  return selectors.length > 0 && selectors.every((selector) => selector.includes(`{${job}`));
}

test("with an Inngest server there are no gauges of the embedded engine, for which alerts would fire", async () => {
  await readSettings({ INNGEST_DEV: "1" });
  onTestFinished(() => registerMetrics(opened));
  const { openMetrics: openBesideServer } = await import("@/lib/observability/open-metrics");
  const { registry } = await openBesideServer();
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  expect(names).toContain("crm_job_requests_waiting");
  expect(names.filter((name) => /^crm_jobs_|^crm_job_workers$/.test(name))).toEqual([]);
});

/** The routes that a query of the share of failures, or of the latency of the API, counts. */
function routesCounted(query: string): string[] {
  const matchers = [...query.matchAll(/\broute(=~|!~|!=)"([^"]*)"/g)];
  const isCounted = (route: string) =>
    matchers.every(([, how, value = ""]) =>
      how === "!=" ? route !== value : new RegExp(`^(?:${value})$`).test(route) === (how === "=~"),
    );
  return ROUTES.filter(isCounted);
}

const ROUTES = [
  "/_next/{...path}",
  "/accounts",
  ...globSync("app/api/**/route.ts").map((file) => templateOf(file.slice("app".length, -"/route.ts".length))),
];

test("probes, scrapes and files of the build are no share of failures, and downloads no latency", () => {
  const dashboard = readFileSync("docs/observability/dashboard.json", "utf8").replaceAll('\\"', '"');
  const texts = [readFileSync("docs/observability.md", "utf8"), dashboard];
  const failures = texts.flatMap(
    (text) => text.match(/sum\(rate\(crm_http_request_duration_seconds_count\{.*\) \/ .*/g) ?? [],
  );
  expect(failures).toHaveLength(2);
  const leftOut = /^\/(?:_next\/|api\/health\/|api\/metrics$)/;
  for (const half of failures.flatMap((query) => query.split(" / ")))
    expect(routesCounted(half)).toEqual(ROUTES.filter((route) => !leftOut.test(route)));
  const latencies = texts.flatMap((text) => text.match(/histogram_quantile\(.*"\/api\/v1\/.*/g) ?? []);
  expect(latencies).toHaveLength(4);
  const downloads = ROUTES.filter((route) => /\/(?:export|content|download)$/.test(route));
  expect(downloads.length).toBeGreaterThanOrEqual(5);
  for (const query of latencies) {
    const counted = routesCounted(query);
    expect(counted).toContain("/api/v1/{resource}/{id}");
    expect(counted.filter((route) => downloads.includes(route))).toEqual([]);
  }
});

test("an attempt at a webhook that is kept back here is no failure of the endpoint to answer", async () => {
  const event = { id: "event", body: "{}" };
  await send({ ...event, url: "https://hooks.example", secrets: null });
  await send({ ...event, url: "https://user@hooks.example", secrets: [] });
  const attempts = (await opened.registry.metrics()).match(/^crm_webhook_attempt_duration_seconds_count.*$/gm);
  expect(attempts).toEqual(['crm_webhook_attempt_duration_seconds_count{outcome="not_sent"} 2']);
});

test("metrics are shown to whoever has the token, and to nobody else", async () => {
  env.METRICS_TOKEN = TOKEN;
  const answers = await Promise.all([ask(), ask("Bearer wrong"), ask(TOKEN), ask(`Bearer ${TOKEN}x`)]);
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  const shown = await ask(`Bearer ${TOKEN}`);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, opened.registry.contentType]);
  // Without a database, what it would say is unknown and the rest is shown.
  expect(await shown.text()).toMatch(/^crm_jobs_waiting nan$/im);
});

test("at an address that several processes share, whoever has the token learns where the metrics are", async () => {
  env.METRICS_TOKEN = TOKEN;
  expect((await ask("Bearer wrong", true)).status).toBe(401);
  const refused = await ask(`Bearer ${TOKEN}`, true);
  expect([refused.status, (await refused.json()).detail]).toEqual([409, expect.stringContaining("METRICS_PORT")]);
});

test("without a token, the address of the metrics does not exist", async () => {
  env.METRICS_TOKEN = undefined;
  expect((await ask("Bearer ")).status).toBe(404);
});
