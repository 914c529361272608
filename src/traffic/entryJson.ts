import { utf8 } from '../base/bytes';
import { measureJson } from '../base/measureJson';
import { errorMessage } from '../base/errors';
import { type Mask, maskedCopy, redactText } from '../base/secrets';
import { jsonText } from '../base/text/jsonText';
import type { HttpExchange } from '../mcp/traffic/httpExchange';
import type { TrafficEntry, TrafficFailure, TrafficMessage } from '../mcp/traffic/trafficEntry';

const sizes = new WeakMap<object, number>();

/**
 * Returns the size in bytes of a message as JSON, or of a line as it is; `undefined` if only its beginning was
 * kept.
 */
export function messageBytes({ value, isCut }: TrafficMessage): number | undefined {
  if (isCut) return undefined;
  if (typeof value !== 'object' || value === null) return utf8(String(value)).length;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const { bytes } = measureJson(value);
  sizes.set(value, bytes);
  return bytes;
}

/** Returns the content of an entry or its answer without secrets. */
export function shownValue(entry: TrafficEntry, message: TrafficMessage, mask: Mask): unknown {
  return entry.kind === 'stderr'
    ? redactText(mask(String(message.value)))
    : maskedCopy(message.value, mask);
}

/** Formats an entry as a document: request and response in one. */
export function entryDocument(entry: TrafficEntry, mask: Mask): string {
  const { kind, time, direction, peer, isCut, answer, failure, http } = entry;
  const ended = answer ?? failure;
  return jsonText(
    {
      time: new Date(time).toISOString(),
      direction,
      ...(peer && { peer }),
      ...(ended && { durationMs: rounded(ended.durationMs) }),
      [kind]: shownValue(entry, entry, mask),
      ...(isCut && { isCut }),
      ...(answer && { response: shownValue(entry, answer, mask) }),
      ...(answer?.isCut && { isResponseCut: true }),
      ...(failure && { failure: failureText(failure, mask) }),
      ...(http && { http: maskedCopy(http.map(inTenths), mask) }),
    },
    2,
  );
}

/** Formats an entry as a line of an export, including the line break. */
export function entryLine(entry: TrafficEntry, mask: Mask): string {
  const { number, time, direction, peer, kind, method, answer, failure, http } = entry;
  const part = (message: TrafficMessage) => ({
    message: shownValue(entry, message, mask),
    ...(message.isCut ? { isCut: true } : { bytes: messageBytes(message) }),
  });
  return `${JSON.stringify({
    number,
    time: new Date(time).toISOString(),
    direction,
    ...(peer && { peer }),
    kind,
    ...(method && { method: mask(method) }),
    ...part(entry),
    ...(answer && { answer: { ...part(answer), durationMs: rounded(answer.durationMs) } }),
    ...(failure && {
      failure: { message: failureText(failure, mask), durationMs: rounded(failure.durationMs) },
    }),
    ...(http && { http: maskedCopy(http.map(inTenths), mask) }),
  })}\n`;
}

/** Always in English: exports are for developers and programs, as logs are. */
function failureText({ error }: TrafficFailure, mask: Mask): string {
  return mask(errorMessage(error));
}

function inTenths(exchange: HttpExchange): HttpExchange {
  return { ...exchange, firstByteMs: rounded(exchange.firstByteMs) };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
