import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { freePort } from "@/scripts/service/free-port";
import type { Document } from "@/tests/service/api/support/document";
import { strictly } from "@/tests/support/strict-schemas";

const PROGRAM = join(import.meta.dirname, "../../../../node_modules/.bin/prism");
const READY_TIMEOUT_MS = 60_000;

/** A validating proxy. The header `sl-violations` lists what in a request or an answer differs from the document. */
export interface Prism {
  url: string;
  stop: () => Promise<void>;
}

/**
 * The document, with a field that it lacks as a violation, too. Not in problems: beside a reference to them stand their
 * codes, and Prism then takes these for all of their fields.
 */
function strictDocument(document: Document): Document {
  const { Problem = {}, ...schemas } = document.components.schemas;
  return { ...document, components: { ...document.components, schemas: { ...strictly(schemas), Problem } } };
}

/** Starts Prism in front of an upstream. The paths of both are those of the document. */
export async function startPrism(document: Document, upstream: string): Promise<Prism> {
  const folder = await mkdtemp(join(tmpdir(), "crm-prism-"));
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(strictDocument(document)));
  const port = await freePort();
  const flags = [
    "--host",
    "127.0.0.1",
    "--port",
    String(port),
    "--multiprocess",
    "false",
    "--cors",
    "false",
    "--verboseLevel",
    "silent",
  ];
  const child = spawn(process.execPath, [PROGRAM, "proxy", file, upstream, ...flags], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const end = () => child.kill();
  process.once("exit", end);
  const stop = async (): Promise<void> => {
    process.off("exit", end);
    if (child.exitCode === null && child.signalCode === null) {
      child.kill();
      await once(child, "exit");
    }
    await rm(folder, { recursive: true, force: true });
  };
  for (const deadline = Date.now() + READY_TIMEOUT_MS; !(await takesConnections(port)); await pause(100)) {
    if (child.exitCode === null && Date.now() < deadline) continue;
    await stop();
    throw new Error("Prism did not come up within a minute.");
  }
  return { url: `http://127.0.0.1:${port}`, stop };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, "127.0.0.1", () => done(true)).once("error", () => done(false));
    socket.once("connect", () => socket.destroy());
  });
}
