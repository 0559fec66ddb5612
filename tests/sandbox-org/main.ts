import { readFileSync } from "node:fs";

import { applyRules, type RulesDocument } from "./control/routes";
import { listen } from "./server/listen";
import { readOptions } from "./server/options";
import { SandboxOrg } from "./server/sandbox-org";

const options = readOptions(process.argv.slice(2));
const org = new SandboxOrg(options);
if (options.rulesFile !== null) applyRules(org, JSON.parse(readFileSync(options.rulesFile, "utf8")) as RulesDocument);

const server = await listen(org);

function stop(): void {
  server.close();
  server.closeAllConnections();
  process.exit(0);
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
if (options.untilStdinEnds) process.stdin.on("end", stop).on("error", stop).resume();

process.stdout.write(
  `${JSON.stringify({
    instance_url: org.instanceUrl,
    access_token: org.sessions.accessToken,
    client_id: org.sessions.clientId,
    client_secret: org.sessions.clientSecret,
    pid: process.pid,
  })}\n`,
);
