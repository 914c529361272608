import { UserError } from '../../base/errors';
import { asRecord, isRecord, type JsonRecord } from '../../base/json';
import { measureJson } from '../../base/measureJson';
import { type Mask, looksSecret, redactText, redacted } from '../../base/secrets';
import { plainLabel } from '../../base/text/text';
import { readJsonc } from '../../base/text/jsonc';
import { getNodeValue } from 'jsonc-parser';

/** The extension of recordings. */
export const recordingExtension = '.mcp-recording.jsonc';

/** The largest recording that is read or written, in UTF-16 units. */
export const maxRecordingLength = 50_000_000;
/** At most this many messages are in a recording. */
export const maxRecordedMessages = 100_000;
/** At most this many rules are in a recording, and paths in each of them. */
export const maxRecordingRules = 1000;
/** Messages that are nested deeper are not recorded. */
const maxDepth = 100;
/** The longest wait that is recorded, in milliseconds; a day. */
const maxAt = 86_400_000;

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

/** Copies a message without secrets: those that `mask` knows, and what looks like one by its name or form. */
export function maskedMessage(message: unknown, mask: Mask, name = ''): unknown {
  // A token of progress says to which request the progress belongs.
  const isSecret = looksSecret(name) && name !== 'progressToken';
  if (typeof message === 'string')
    return isSecret && message !== '' ? redacted : redactText(mask(message));
  if (typeof message === 'number') {
    const isCount = /tokens?/i.test(name);
    return (isSecret && !isCount) || mask(String(message)) !== String(message) ? redacted : message;
  }
  if (Array.isArray(message)) return message.map((part) => maskedMessage(part, mask, name));
  if (!isRecord(message)) return message;
  // What an object describes may be called like a secret, such as the schema of a password.
  return Object.fromEntries(
    Object.entries(message).map(([key, part]) => [mask(key), maskedMessage(part, mask, key)]),
  );
}

/** True for a message that can be recorded: an object that is not nested too deep. */
export function isRecordable(message: unknown): message is JsonRecord {
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
  const file = readValue(text);
  const { recording, server = 'server', recorded = '', rules = [], messages } = asRecord(file);
  if (recording !== 1) throw new UserError('It is not a recording: "recording" must be 1.');
  if (!Array.isArray(messages)) throw new UserError('"messages" must be a list.');
  if (messages.length > maxRecordedMessages)
    throw new UserError(`A recording has ${maxRecordedMessages} messages at most.`);
  if (!Array.isArray(rules) || rules.length > maxRecordingRules)
    throw new UserError(`"rules" must be a list of ${maxRecordingRules} rules at most.`);
  return {
    server: String(server),
    recorded: String(recorded),
    rules: rules.map(readRule),
    messages: messages.map(readMessage),
  };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
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
  if (typeof at !== 'number' || at < 0 || at > maxAt)
    throw fail(`"at" must be a number of milliseconds, ${maxAt} at most.`);
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
  const isPaths = Array.isArray(value) && value.length <= maxRecordingRules;
  if (!isPaths || !value.every((one) => typeof one === 'string'))
    throw fail('"ignore" and "ignoreInAnswer" must be lists of paths such as "arguments.at".');
  return value;
}
