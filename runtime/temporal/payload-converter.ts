/**
 * The payload converter of clients, workers and the workflow bundle: JSON that holds nothing but what the
 * grammar of `domain/workflow-history/safe-text.ts` admits. Loaded by path, also inside the workflow sandbox, so it uses
 * no Node built-ins.
 */
import {
  ApplicationFailure,
  JsonPayloadConverter,
  RawValue,
  UndefinedPayloadConverter,
  type Payload,
  type PayloadConverter,
} from '@temporalio/common';
import { isCounters, refuse } from '../../domain/workflow-history/safe-text.ts';

const MAX_BYTES = 16_384;
/** Replaces the answer to a query of the SDK's own that may quote text, such as a stack trace. */
const WITHHELD = 'withheld';

const json = new JsonPayloadConverter();
const nothing = new UndefinedPayloadConverter();
const readers = new Map<string, Pick<PayloadConverter, 'fromPayload'>>([
  [nothing.encodingType, nothing],
  [json.encodingType, json],
]);
const utf8 = new TextDecoder();

function refusal(code: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(code, code);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/**
 * The SDK answers its own queries with raw values, which bypass the checks of converters. Of the workflow's metadata
 * the definition is static text of this program, and the details must be counters. Any other raw value is withheld.
 */
function withoutProse(raw: RawValue): Payload {
  const value = json.fromPayload<unknown>(raw.payload);
  if (!isRecord(value) || !isRecord(value['definition'])) return json.toPayload(WITHHELD) ?? {};
  const details = value['currentDetails'];
  const currentDetails = typeof details === 'string' && isCounters(details) ? details : '';
  return json.toPayload({ definition: value['definition'], currentDetails }) ?? {};
}

class CountersAndIdsConverter implements PayloadConverter {
  /** Throws a non-retryable failure with the code of the refusal. */
  toPayload(value: unknown): Payload {
    if (value instanceof RawValue) return withoutProse(value);
    const code = refuse(value);
    if (code !== null) throw refusal(code);
    const payload = nothing.toPayload(value) ?? json.toPayload(value);
    if (payload === undefined) throw refusal('TYPE_REFUSED');
    if ((payload.data?.length ?? 0) > MAX_BYTES) throw refusal('TOO_LARGE');
    return payload;
  }

  // The SDK's signature: the caller names the type of the payload.
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  fromPayload<T>(payload: Payload): T {
    const encoding = payload.metadata?.['encoding'];
    const reader = encoding === undefined ? undefined : readers.get(utf8.decode(encoding));
    if (reader === undefined) throw refusal('TYPE_REFUSED');
    return reader.fromPayload<T>(payload);
  }
}

export const payloadConverter: PayloadConverter = new CountersAndIdsConverter();
