import { Client } from "undici";

import { handleTasks } from "@/tests/benchmarks/api/load-process";
import { act } from "@/tests/benchmarks/soak/actions";
import { Actor } from "@/tests/benchmarks/soak/actor";
import { type Latencies, measuredSend } from "@/tests/benchmarks/soak/measured-send";

/** Work over a number of connections. Each connection is an actor with one of the tokens. */
export interface SoakTask {
  origin: string;
  connections: number;
  seconds: number;
  tokens: readonly string[];
}

export interface SoakReport {
  seconds: number;
  latencies: Latencies;
  /** The number of failed actions: a request was not successful, or had no answer. */
  faults: number;
  /** The first error messages. */
  examples: string[];
}

const MAX_EXAMPLES = 20;
/** After a fault, so that a service that is down does not get a million requests. */
const PAUSE_MS = 100;

async function soak({ origin, connections, seconds, tokens }: SoakTask): Promise<SoakReport> {
  const started = performance.now();
  const end = started + seconds * 1000;
  const report: SoakReport = { seconds, latencies: new Map(), faults: 0, examples: [] };
  async function work(number: number): Promise<void> {
    const client = new Client(origin, { pipelining: 1 });
    const send = measuredSend(client, tokens[number % tokens.length] ?? "", report.latencies);
    const actor = new Actor(`actor-${number}`, send);
    while (performance.now() < end) {
      await act(actor).catch(async (error: unknown) => {
        report.faults += 1;
        if (report.examples.length < MAX_EXAMPLES)
          report.examples.push(error instanceof Error ? error.message : String(error));
        await new Promise((done) => setTimeout(done, PAUSE_MS));
      });
    }
    await client.close();
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => work(number)));
  return { ...report, seconds: (performance.now() - started) / 1000 };
}

handleTasks(soak);
