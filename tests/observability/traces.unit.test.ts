import { expect, test, vi } from "vitest";

import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { openTraces, parseTraceparent } from "@/lib/observability/open-traces";
import { closeTraces, inWork, startSpan } from "@/lib/observability/instruments";
import { startTraceCollector } from "@/tests/support/trace-collector";

const PARENT = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

interface Sent {
  resourceSpans: {
    scopeSpans: { spans: { name: string; traceId: string; spanId: string; parentSpanId?: string; kind: number }[] }[];
  }[];
}

test("spans are sent to the endpoint, and belong to the request that caused them", async () => {
  const collector = await startTraceCollector();
  // The exporter reads it by itself.
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  expect(startSpan("before", "server")).toBeUndefined();
  await openTraces("crm-web");
  const request = startSpan("GET /", "server", PARENT);
  const job = inWork({ traceparent: request?.traceparent }, () => startSpan("job", "consumer"));
  job?.end({}, true);
  request?.end({ "http.route": "/" }, false);
  await closeTraces();
  collector.stop();
  const spans = collector.received.flatMap((body) =>
    (JSON.parse(body) as Sent).resourceSpans.flatMap((each) => each.scopeSpans[0]?.spans ?? []),
  );
  const [ofJob, ofRequest] = spans;
  expect(ofRequest).toMatchObject({ name: "GET /", traceId: "a".repeat(32), parentSpanId: "b".repeat(16), kind: 2 });
  expect(ofJob).toMatchObject({ name: "job", traceId: "a".repeat(32), parentSpanId: ofRequest?.spanId, kind: 5 });
});

async function exportSpan(): Promise<void> {
  await openTraces("crm-web");
  startSpan("GET /", "server")?.end({}, false);
  await closeTraces();
}

test("a collector that refuses spans is told of once a minute, without what was sent to it", async () => {
  const collector = await startTraceCollector(401);
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
  const warn = vi.spyOn(log, "warn");
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    for (const told of [1, 1]) {
      await exportSpan();
      expect(warn).toHaveBeenCalledTimes(told);
    }
    vi.advanceTimersByTime(61_000);
    await exportSpan();
  } finally {
    vi.useRealTimers();
  }
  collector.stop();
  expect(collector.received).toHaveLength(3);
  const told = [{ err: expect.any(Error) }, expect.stringContaining("cannot be exported")];
  expect(warn.mock.calls).toEqual([told, told]);
});

test.each(["", "nonsense", `00-${"0".repeat(32)}-${"b".repeat(16)}-01`, `01-${"a".repeat(32)}-${"b".repeat(16)}-01`])(
  "a traceparent that is none (%s) begins a new trace",
  (value) => {
    expect(parseTraceparent(value)).toBeUndefined();
  },
);
