import { errorMessage, UserError } from '../../base/errors';
import { asRecord, isRecord, parseJson, type JsonRecord } from '../../base/json';
import { JsonParts } from '../../base/jsonParts';
import { measureJson } from '../../base/measureJson';
import type { Mask } from '../../base/secretMask';
import {
  calledIn,
  isSecretBelow,
  redactText,
  redacted,
  withoutPasswords,
} from '../../base/secrets';
import { plainLabel } from '../../base/text/text';
import { readJsonc } from '../../base/text/jsonc';
import { getNodeValue } from 'jsonc-parser';

/** The extension of recordings. */
export const recordingExtension = '.mcp-recording.jsonc';

/** The largest recording that is read or written, in UTF-16 units. */
export const maxRecordingLength = 50_000_000;
/** The largest recording that may have comments and trailing commas, in UTF-16 units: reading these takes much more. */
export const maxCommentedLength = 5_000_000;
/** At most this many names and values are in a recording. */
export const maxRecordingParts = 10_000_000;
/** At most this many messages are in a recording. */
export const maxRecordedMessages = 100_000;
/** At most this many rules are in a recording, and paths in all of them: each is looked for at each value of a request. */
export const maxRecordingRules = 1000;
/** The longest line that is recorded, in bytes; all lines are passed on. */
export const maxRecordedLine = 10_000_000;
/** Messages that are nested deeper are not recorded. */
const maxDepth = 100;
/** A day, in milliseconds: what comes later in a session is recorded as if it came then. */
export const maxRecordedMs = 86_400_000;
/** JSON is looked for in texts within texts so many times. */
const maxTexts = 3;

/** One message of a session. */
export interface RecordedMessage {
  /** In milliseconds since the first message. */
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly message: JsonRecord;
}

/** What may differ between a recorded request and one that is asked, or between their answers. */
export interface RecordingRule {
  /** The method that it is about; all of them if absent. */
  readonly method?: string;
  /** The name of the tool or prompt, or the URI of the resource, that it is about; all of them if absent. */
  readonly name?: string;
  /** Paths in the parameters, such as `arguments.at` or `arguments.items.*.id`, whose values may be any. */
  readonly ignore: readonly string[];
  /** Paths in the result or error whose values may be any when the recording is replayed. */
  readonly ignoreInAnswer: readonly string[];
  /** True if such requests get the recorded answers one after another, whatever their parameters are. */
  readonly inOrder: boolean;
}

/** A session with a server, as it was recorded. */
export interface Recording {
  /** The name of the server. */
  readonly server: string;
  /** When it was recorded, as ISO 8601. */
  readonly recorded: string;
  readonly rules: readonly RecordingRule[];
  readonly messages: readonly RecordedMessage[];
}

/** What stands in a recording for the ids of messages that are or have a secret, so that each stays another one. */
export type MaskedIds = Map<unknown, string>;

/**
 * Returns what is recorded of a message that came so many milliseconds after the first one: without secrets, and at a
 * time that can be read again; `undefined` if it is no object, or nested too deep.
 */
export function recordedMessage(
  from: RecordedMessage['from'],
  ms: number,
  message: unknown,
  mask: Mask,
  ids: MaskedIds,
): RecordedMessage | undefined {
  if (!isRecordable(message)) return undefined;
  const at = Math.min(Math.max(Math.round(ms), 0), maxRecordedMs);
  const masked = asRecord(maskedMessage(message, mask));
  const { id } = message;
  if (id === undefined || masked['id'] === id) return { at, from, message: masked };
  // It says which answer belongs to which request.
  const own = ids.get(id) ?? `${redacted} ${ids.size + 1}`;
  ids.set(id, own);
  return { at, from, message: { ...masked, id: own } };
}

/** Copies a message without secrets: those that `mask` knows, and what looks like one by its name or form. */
export function maskedMessage(message: unknown, mask: Mask): unknown {
  return maskedPart(message, { mask, name: '', command: '', isSchema: false, texts: 0 });
}

/** Where a part of a message is. */
interface Place {
  readonly mask: Mask;
  readonly name: string;
  /** The program that a list is for. */
  readonly command: unknown;
  /** True within a schema, which describes what is called like a secret. */
  readonly isSchema: boolean;
  /** Within how many texts it is. */
  readonly texts: number;
}

const schemaNames = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

function maskedPart(part: unknown, place: Place): unknown {
  const { mask, name, isSchema } = place;
  if (isSecretPart(part, place)) return redacted;
  if (typeof part === 'string') return maskedText(part, place);
  if (typeof part === 'number') return mask(String(part)) === String(part) ? part : redacted;
  if (Array.isArray(part))
    return withoutPasswords(part, place.command).map((one) =>
      maskedPart(one, { ...place, name: '', command: '' }),
    );
  if (!isRecord(part)) return part;
  const below = isSchema || schemaNames.has(name);
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [
      mask(key),
      maskedPart(value, {
        ...place,
        name: calledIn(part, key),
        command: part['command'],
        isSchema: below,
      }),
    ]),
  );
}

function isSecretPart(part: unknown, { name, isSchema }: Place): boolean {
  // A token of progress says to which request the progress belongs.
  if (name === 'progressToken' || !isSecretBelow(name, part)) return false;
  // Nothing is in it, such as in the settings of a capability.
  return typeof part !== 'object' || (!isSchema && Object.keys(part ?? {}).length > 0);
}

function maskedText(text: string, place: Place): string {
  const plain = redactText(place.mask(text));
  const value = jsonIn(text);
  if (value === undefined) return plain;
  // What cannot be looked through is not shown.
  if (place.texts >= maxTexts || measureJson(value).depth > maxDepth) return redacted;
  const masked = maskedPart(value, {
    ...place,
    name: '',
    command: '',
    isSchema: false,
    texts: place.texts + 1,
  });
  const written = JSON.stringify(masked);
  // Without a secret, it stays as it was written.
  return written === JSON.stringify(value) ? plain : place.mask(written);
}

/** Returns the object or list that a text is, if it is one as JSON. */
function jsonIn(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
}

/** True for a message that can be recorded: an object that is not nested too deep. */
function isRecordable(message: unknown): message is JsonRecord {
  return isRecord(message) && measureJson(message).depth <= maxDepth;
}

/** Returns the text of a recording, one message a line. */
export function recordingText({ server, recorded, rules, messages }: Recording): string {
  const list = (values: readonly unknown[]) =>
    values.length === 0
      ? '[]'
      : `[\n${values.map((value) => `    ${JSON.stringify(value)}`).join(',\n')}\n  ]`;
  return `{
  "recording": 1,
  "server": ${JSON.stringify(server)},
  "recorded": ${JSON.stringify(recorded)},
  "rules": ${list(rules)},
  "messages": ${list(messages)}
}
`;
}

/** Reads a recording; throws a `UserError` that says what is wrong with it. */
export function parseRecording(text: string): Recording {
  if (text.length > maxRecordingLength)
    throw new UserError(`A recording has ${maxRecordingLength} characters at most.`);
  checkParts(text);
  const file = readValue(text);
  const { recording, server = 'server', recorded = '', rules = [], messages } = asRecord(file);
  if (recording !== 1) throw new UserError('It is not a recording: "recording" must be 1.');
  if (!Array.isArray(messages)) throw new UserError('"messages" must be a list.');
  if (messages.length > maxRecordedMessages)
    throw new UserError(`A recording has ${maxRecordedMessages} messages at most.`);
  if (!Array.isArray(rules) || rules.length > maxRecordingRules)
    throw new UserError(`"rules" must be a list of ${maxRecordingRules} rules at most.`);
  const read = rules.map(readRule);
  const paths = read.flatMap(({ ignore, ignoreInAnswer }) => [...ignore, ...ignoreInAnswer]);
  if (paths.length > maxRecordingRules)
    throw new UserError(`"rules" must have ${maxRecordingRules} paths at most in all.`);
  return {
    server: String(server),
    recorded: String(recorded),
    rules: read,
    messages: messages.map(readMessage),
  };
}

/** Refuses what has too many parts before they are made: each takes many times what it is long. */
function checkParts(text: string): void {
  const parts = new JsonParts();
  const encoder = new TextEncoder();
  for (let at = 0; at < text.length; at += maxCommentedLength) {
    parts.add(encoder.encode(text.slice(at, at + maxCommentedLength)));
    if (parts.count > maxRecordingParts)
      throw new UserError(`A recording has ${maxRecordingParts} names and values at most.`);
  }
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (text.length > maxCommentedLength)
      throw new UserError(
        `A recording of more than ${maxCommentedLength} characters must be JSON without comments: ${errorMessage(error)}`,
      );
    const read = () => {
      try {
        return readJsonc(text);
      } catch {
        throw new UserError('It is nested too deep.');
      }
    };
    const { root, problem } = read();
    if (problem || !root) throw new UserError(problem?.message ?? 'It is empty.');
    return getNodeValue(root) as unknown;
  }
}

function readMessage(value: unknown, index: number): RecordedMessage {
  const { at, from, message } = asRecord(value);
  const fail = (what: string) => new UserError(`Message ${index + 1}: ${what}`);
  if (from !== 'client' && from !== 'server') throw fail('"from" must be "client" or "server".');
  if (typeof at !== 'number' || at < 0 || at > maxRecordedMs)
    throw fail(`"at" must be a number of milliseconds, ${maxRecordedMs} at most.`);
  if (!isRecordable(message))
    throw fail('"message" must be an object that is not nested too deep.');
  return { at, from, message };
}

function readRule(value: unknown, index: number): RecordingRule {
  const { method, name, ignore, ignoreInAnswer, inOrder = false, ...others } = asRecord(value);
  const fail = (what: string) => new UserError(`Rule ${index + 1}: ${what}`);
  const [other] = isRecord(value) ? Object.keys(others) : ['a value that is no object'];
  if (other !== undefined) throw fail(`${plainLabel(other)} is not known here.`);
  for (const one of [method, name])
    if (one !== undefined && typeof one !== 'string')
      throw fail('"method" and "name" must be strings.');
  if (typeof inOrder !== 'boolean') throw fail('"inOrder" must be true or false.');
  return {
    ...(typeof method === 'string' && { method }),
    ...(typeof name === 'string' && { name }),
    ignore: readPaths(ignore, fail),
    ignoreInAnswer: readPaths(ignoreInAnswer, fail),
    inOrder,
  };
}

function readPaths(value: unknown, fail: (what: string) => UserError): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string'))
    throw fail('"ignore" and "ignoreInAnswer" must be lists of paths such as "arguments.at".');
  return value;
}
