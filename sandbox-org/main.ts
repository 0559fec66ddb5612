import { readFileSync } from "node:fs";
import type { Server } from "node:http";

import { applyRules, type RulesDocument } from "./control/routes";
import { listen } from "./server/listen";
import { readOptions } from "./server/options";
import { SandboxOrg } from "./server/sandbox-org";

/** Prints what went wrong, without a stack trace, and exits with code 1. */
function fail(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  process.stderr.write(
    code === "EADDRINUSE"
      ? "The port is already in use. Choose another with --port, or leave it out to take a free one.\n"
      : `${message}\n`,
  );
  process.exit(1);
}

async function start(): Promise<{ org: SandboxOrg; server: Server; untilStdinEnds: boolean }> {
  const options = readOptions(process.argv.slice(2));
  const org = new SandboxOrg(options);
  if (options.rulesFile !== null) applyRules(org, JSON.parse(readFileSync(options.rulesFile, "utf8")) as RulesDocument);
  return { org, server: await listen(org), untilStdinEnds: options.untilStdinEnds };
}

const { org, server, untilStdinEnds } = await start().catch(fail);

function stop(): void {
  server.close();
  server.closeAllConnections();
  process.exit(0);
}

process.on("SIGTERM", stop);
process.on("SIGINT", stop);
if (untilStdinEnds) process.stdin.on("end", stop).on("error", stop).resume();

process.stdout.write(
  `${JSON.stringify({
    instance_url: org.instanceUrl,
    access_token: org.sessions.accessToken,
    client_id: org.sessions.clientId,
    client_secret: org.sessions.clientSecret,
    pid: process.pid,
  })}\n`,
);
