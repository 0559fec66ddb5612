import { join } from "node:path";

import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";

import { startSandboxOrg } from "@/sandbox-org/start";
import { signInBrowser } from "@/scripts/demo/obtain-access-token";
import { freePort } from "@/scripts/service/free-port";
import { readEverything } from "@/tests/deployment/support/answers";
import { Deployment, stop } from "@/tests/deployment/support/deployment";
import { ADMIN, useEverySecret } from "@/tests/service/setup/use-every-secret";
import { run, type Migration } from "@/tests/service/support/migrate";
import { RestClient } from "@/tests/service/support/rest-client";
import { WebhookReceiver } from "@/tests/support/webhook-receiver";

/** Users belong to a server, not to a database, so a dump has none. The statements of `docs/deploy.md`. */
const CREATE_USERS = [
  "CREATE ROLE crm_service LOGIN NOINHERIT PASSWORD 'of-web-and-worker'",
  "CREATE ROLE crm_service_across NOLOGIN",
  "GRANT crm_service_across TO crm_service",
];

test("a dump restored on another server gives the same answers, sign-in, tokens, secrets and migrations", async () => {
  await using machine = await Deployment.create();
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const org = await startSandboxOrg({ records: 600, redirectUris: [`${baseUrl}/migration/callback`] });
  await using ends = new AsyncDisposableStack();
  ends.defer(() => org.stop());
  const settings = {
    APP_URL: baseUrl,
    SALESFORCE_CLIENT_ID: org.clientId,
    SALESFORCE_CLIENT_SECRET: org.clientSecret,
  };
  const before = await machine.startPostgres("before");
  await machine.prepare(before);
  const atFirst = { ...settings, DATABASE_URL: before.runtimeUrl };
  const [web, worker] = [await machine.startWeb(port, atFirst), await machine.startWorker(atFirst)];
  const secrets = await useEverySecret({ baseUrl, databaseUrl: before.ownerUrl }, org);
  const api = new RestClient(baseUrl, secrets.accessToken ?? "");
  await using receiver = await WebhookReceiver.start();
  const { body: webhook } = await api.post<{ id: string; secret: string }>("/api/v1/webhooks", {
    url: receiver.url,
    events: ["*"],
    generate_secret: true,
  });
  await stop(worker);
  const answers = await readEverything(api);
  // As on a server that has counted further than the one of the restore.
  await before.run("psql", ["-c", "UPDATE events SET tx = tx + 5000000000", before.ownerUrl]);
  const dump = join(machine.folder, "data", "crm.dump");
  await before.run("pg_dump", ["--format=custom", `--file=${dump}`, before.ownerUrl]);
  await stop(web);

  const after = await machine.startPostgres("after");
  await after.run("psql", [...CREATE_USERS.flatMap((statement) => ["-c", statement]), after.ownerUrl]);
  await after.run("pg_restore", ["--no-owner", "--exit-on-error", `--dbname=${after.ownerUrl}`, dump]);
  await after.run("vacuumdb", ["--analyze-only", `--maintenance-db=${after.ownerUrl}`, after.ownerUrl]);
  await machine.prepare(after);
  const restored = { ...settings, DATABASE_URL: after.runtimeUrl };
  await machine.startWeb(port, restored);
  expect(await readEverything(api)).toEqual(answers);
  await signInBrowser({ baseUrl, ...ADMIN });

  await machine.startWorker(restored);
  expect((await api.post(`/api/v1/webhooks/${webhook.id}/test`, {})).status).toBeLessThan(300);
  await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
  for (const { headers, body } of receiver.received)
    new Webhook(webhook.secret).verify(body, headers as Record<string, string>);
  const { data } = await api.get<{ data: Migration[] }>("/api/v1/migration");
  const again = await run(api, data[0]?.migration_id ?? "");
  expect(again).toMatchObject({ status: "completed", reconciled: true });
  expect(again.objects.reduce((sum, { created }) => sum + created, 0)).toBe(0);
});
