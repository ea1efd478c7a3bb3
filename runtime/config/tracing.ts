/**
 * Where traces go, in the variables of OpenTelemetry. Without an endpoint there are no traces. The exporter's own
 * package reads further variables by itself (compression, certificates).
 */
import { withoutEnding } from '../../domain/text/ending.ts';
import { z } from 'zod';

const TRACE_SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const address = z.url({
  protocol: /^https?$/,
  error: 'must be an address of the form http://host:port',
});

export const tracingShape = {
  OTEL_EXPORTER_OTLP_ENDPOINT: address
    .optional()
    .describe(
      'The base address of a collector that speaks OTLP over HTTP. Spans go to `<it>/v1/traces`.',
    ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address
    .optional()
    .describe('The whole address for spans. It wins over the base address.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .describe('Headers for the collector: `name=value,name=value`, percent-encoded. Secret.'),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce
    .number('must be milliseconds')
    .int()
    .min(1)
    .max(60_000)
    .default(3_000)
    .describe('Milliseconds for an export with its retries. A stop waits for the last export.'),
  OTEL_TRACES_EXPORTER: z.string().optional().describe('`none` switches traces off.'),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'], 'must be true or false')
    .default('false')
    .describe('`true` switches traces off.'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('The name of the service in traces. Unset takes `vouch-api` and `vouch-worker`.'),
  OTEL_TRACES_SAMPLER: z
    .enum(TRACE_SAMPLERS)
    .default('parentbased_always_on')
    .describe('Which traces are kept.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number('must be a number')
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of traces that a ratio sampler keeps.'),
};

const shape = z.object(tracingShape);
export type TracingSettings = z.output<typeof shape>;

/** The address for spans, or null when tracing is off. */
export function traceEndpoint(settings: TracingSettings): string | null {
  if (settings.OTEL_SDK_DISABLED === 'true' || settings.OTEL_TRACES_EXPORTER === 'none')
    return null;
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = settings;
  if (own !== undefined) return own;
  return base === undefined ? null : `${withoutEnding(base, /\//)}/v1/traces`;
}
