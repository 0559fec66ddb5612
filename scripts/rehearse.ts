import { buildPackage } from "@/scripts/service/build/build-package";
import { runCommand } from "@/scripts/service/fault";
import { runTool } from "@/scripts/service/program";
import { stopRequest } from "@/scripts/service/stop-request";
import { findOrInstallPostgresTools } from "@/scripts/test/postgres-tools";

const stopSignal = stopRequest();

/**
 * `npm run rehearse`: what operators do, with the packaged service and PostgreSQL's own programs: backup and restore, a
 * rolling restart, and the migrations of a next release beside this one; then crashes at every point and what else
 * is exhaustive, and the isolation and fault suites over two web processes. Apart from `npm test`, because it takes
 * long and needs those programs.
 * Further words choose suites: `npm run rehearse -- backup`.
 */
await runCommand(async () => {
  const POSTGRES_BIN = await findOrInstallPostgresTools(stopSignal);
  await buildPackage(stopSignal);
  const projects = ["deployment", "exhaustive", "two-webs"].flatMap((name) => ["--project", name]);
  await runTool("vitest", ["run", ...projects, ...process.argv.slice(2)], {
    env: { NODE_ENV: "test", POSTGRES_BIN },
    stopSignal,
  });
});
