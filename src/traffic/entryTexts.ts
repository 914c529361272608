import { errorMessage, isCancellation } from '../base/errors';
import { asRecord, ownValue } from '../base/json';
import type { Mask } from '../base/secretMask';
import { redactText } from '../base/secrets';
import { formatBytes, truncate } from '../base/text/text';
import { asideText, pairText, type Translate } from '../base/translate';
import { outcomeOfEntry, type TrafficEntry } from '../mcp/traffic/trafficEntry';
import { maxKeptMessage } from '../mcp/traffic/trafficRecorder';
import { messageBytes } from './entryJson';

/** The parameters that best say what a message is about, best first. */
const telling = [
  'name',
  'uri',
  'message',
  'taskId',
  'level',
  'reason',
  'cursor',
  'protocolVersion',
];

const longestSubject = 200;

/** How much of a text is masked before it is shortened, so that a secret near its beginning is masked as a whole. */
const near = 20_000;

/** Returns the method of an entry, or its kind if it has none. */
export function titleOfEntry({ kind, method }: TrafficEntry, mask: Mask): string {
  return method === '' ? kind : brief(method, mask);
}

/** Says in a few words what an entry is about; empty if its method says it all. */
export function subjectOfEntry(entry: TrafficEntry, mask: Mask): string {
  if (entry.kind === 'stderr')
    return truncate(redactText(mask(String(entry.value))), longestSubject);
  const { id, params, url } = asRecord(entry.value);
  if (entry.kind === 'exchange') return brief(String(url), mask);
  if (entry.kind === 'response') return brief(String(id), mask);
  const fields = asRecord(params);
  const { progress, total, level, data } = fields;
  if (entry.method === 'notifications/message' && typeof data === 'string') {
    const line = `${String(level)} · ${truncate(data, near)}`;
    return truncate(redactText(mask(line)), longestSubject);
  }
  if (typeof progress === 'number')
    return typeof total === 'number' ? `${progress} / ${total}` : String(progress);
  const { name, uri } = asRecord(fields['ref']);
  const said = [...telling.map((part) => fields[part]), name, uri];
  const subject = said.find((part) => typeof part === 'string' && part !== '');
  return typeof subject === 'string' ? brief(subject, mask) : '';
}

function brief(text: string, mask: Mask): string {
  return truncate(mask(truncate(text, near)), longestSubject);
}

/** Returns the local time of day of an entry, to the millisecond. */
export function timeOfEntry({ time }: TrafficEntry): string {
  const date = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  const clock = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${clock}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Says how long an entry took, how large it is and how it ended, as far as there is anything to say. */
export function factsOfEntry(entry: TrafficEntry, mask: Mask, t: Translate): readonly string[] {
  const { answer, failure } = entry;
  const ended = answer ?? failure;
  const messages = answer ? [entry, answer] : [entry];
  const sizes = (entry.kind === 'exchange' ? [] : messages).map((message) => {
    const bytes = messageBytes(message);
    return bytes === undefined ? t('over {0}', formatBytes(maxKeptMessage)) : formatBytes(bytes);
  });
  const {
    firstByteMs,
    status,
    error,
    parameters,
    answer: said,
  } = (entry.kind === 'exchange' && entry.http?.[0]) || {};
  const why = asRecord(said);
  const durationMs = ended?.durationMs ?? firstByteMs;
  const facts = [
    // Which step of a sign-in it is.
    ownValue(parameters ?? {}, 'grant_type'),
    durationMs === undefined ? undefined : durationText(durationMs),
    sizes.join(' / ') || undefined,
    status !== undefined && status < 400 ? `HTTP ${status}` : undefined,
    error === undefined ? undefined : pairText(t('no answer'), brief(error, mask), t),
    // Why an authorization server refuses a step of a sign-in.
    ...['error', 'error_description'].map((name) => {
      const text = ownValue(why, name);
      return typeof text === 'string' && text !== '' ? brief(text, mask) : undefined;
    }),
  ];
  return [...facts, outcomeText(entry, mask, t)].filter((part) => part !== undefined);
}

function durationText(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1000)} s`;
}

function outcomeText(entry: TrafficEntry, mask: Mask, t: Translate): string | undefined {
  const outcome = outcomeOfEntry(entry);
  switch (outcome.kind) {
    case 'none':
    case 'done':
      return undefined;
    case 'waiting':
      return t('no answer yet');
    case 'toolError':
      return t('tool error');
    case 'refused':
      return t('HTTP status {0}', String(outcome.status));
    case 'failed':
      return isCancellation(outcome.error)
        ? t('cancelled')
        : pairText(t('no answer'), brief(errorMessage(outcome.error, t), mask), t);
    case 'error': {
      const message = typeof outcome.message === 'string' ? outcome.message : '';
      const code = typeof outcome.code === 'number' ? outcome.code : undefined;
      const said = pairText(t('error'), brief(message, mask), t);
      return code === undefined ? said : asideText(said, String(code), t);
    }
  }
}
