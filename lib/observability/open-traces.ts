import type { SpanContext } from "@opentelemetry/api";

import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { registerTracer } from "@/lib/observability/instruments";
import { finishesWithin } from "@/lib/semaphore";

const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

const CLOSE_TIMEOUT_MS = 2_000;

/** How long a failure that was logged is not logged again. */
const TELL_AGAIN_MS = 60_000;

/**
 * Exports the traces of this process to OTEL_EXPORTER_OTLP_ENDPOINT, if that is set; without it nothing is loaded. The
 * exporter and the sampler read their further settings themselves (OpenTelemetry, "Environment Variable
 * Specification"). The tracer is not registered globally: Next and Inngest would then add spans with whole addresses.
 */
export async function openTraces(defaultName: "crm-web" | "crm-worker"): Promise<void> {
  if (!env.OTEL_EXPORTER_OTLP_ENDPOINT) return;
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import("@opentelemetry/api"),
      import("@opentelemetry/sdk-trace-base"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const exporter = new OTLPTraceExporter();
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error) tellFailure(result.error);
      done(result);
    });
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ "service.name": env.OTEL_SERVICE_NAME ?? defaultName }),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer("crm");
  const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, client: SpanKind.CLIENT };
  registerTracer({
    start: (name, kind, parent) => {
      const above = parseTraceparent(parent);
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind] },
        above ? trace.setSpanContext(ROOT_CONTEXT, above) : ROOT_CONTEXT,
      );
      return {
        traceparent: formatTraceparent(span.spanContext()),
        end: (attributes, hasFailed) => {
          span.setAttributes(attributes);
          if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    close: async () => {
      await finishesWithin(CLOSE_TIMEOUT_MS, provider.forceFlush()).catch(() => false);
    },
  });
}

let toldAt = -Infinity;

/** The exporter fails with each batch while its collector is away, and says so to nobody. */
function tellFailure(error: Error): void {
  if (performance.now() - toldAt < TELL_AGAIN_MS) return;
  toldAt = performance.now();
  log.warn({ err: error }, "traces cannot be exported, and are lost until they can");
}

/** Undefined for what is no traceparent of version 00, as whoever sends none (W3C Trace Context §3.2.2). */
export function parseTraceparent(value: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(value ?? "") ?? [];
  if (!traceId || !spanId || !flags || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}

function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}
