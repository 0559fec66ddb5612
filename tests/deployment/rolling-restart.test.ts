import { expect, test } from "vitest";

import { startSandboxOrg } from "@/sandbox-org/start";
import { freePort } from "@/scripts/service/free-port";
import { Deployment, stop } from "@/tests/deployment/support/deployment";
import { startLoadBalancer } from "@/tests/deployment/support/load-balancer";
import { newToken } from "@/tests/deployment/support/new-token";
import { Traffic } from "@/tests/deployment/support/traffic";
import { analyze, run } from "@/tests/service/support/migrate";
import { RestClient } from "@/tests/service/support/rest-client";

test("restarting two web and two worker processes one by one loses no request, no write and no migration", async () => {
  await using machine = await Deployment.create();
  await using ends = new AsyncDisposableStack();
  const ports = [await freePort(), await freePort()];
  const balancer = await startLoadBalancer(ports);
  ends.defer(() => balancer.stop());
  const org = await startSandboxOrg({ records: 3000 });
  ends.defer(() => org.stop());
  const database = await machine.startPostgres("postgres");
  await machine.prepare(database);
  const baseUrl = `http://127.0.0.1:${balancer.port}`;
  const settings = { APP_URL: baseUrl, DATABASE_URL: database.runtimeUrl, RATE_LIMIT_STORE: "postgres" };
  const webs = await Promise.all(ports.map((port) => machine.startWeb(port, settings)));
  const workers = [await machine.startWorker(settings), await machine.startWorker(settings)];
  const token = await newToken(baseUrl);
  const api = new RestClient(baseUrl, token);
  const connection = { ext_instance_url: org.instanceUrl, ext_access_token: org.accessToken };
  const { migration_id } = await analyze(api, connection);

  const traffic = new Traffic(baseUrl, token);
  const migrated = run(api, migration_id);
  for (const [index, web] of webs.entries()) {
    await traffic.untilAnswered(50);
    await stop(web);
    await traffic.untilAnswered(50);
    await machine.startWeb(Number(ports[index]), settings);
  }
  for (const worker of workers) {
    await stop(worker);
    await machine.startWorker(settings);
  }
  await traffic.untilAnswered(50);
  const migration = await migrated;
  const { written, failures } = await traffic.stop();

  expect(failures).toEqual([]);
  expect(balancer.turned()).toBeGreaterThan(0);
  const { records } = await api.list<{ name: string; ext_id: string | null }>("/api/v1/accounts");
  const stored = records.filter(({ ext_id }) => ext_id === null).map(({ name }) => name);
  expect(stored.toSorted()).toEqual(written.toSorted());
  expect(migration).toMatchObject({ status: "completed", reconciled: true });
});
