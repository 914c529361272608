import { deferred, type Deferred, Timer, untilAborted } from '../../base/async';
import { errorMessage } from '../../base/errors';
import { asRecord, type JsonRecord } from '../../base/json';
import { redacted } from '../../base/secrets';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import type { Failure } from '../expect/judge';
import type { StepResult } from '../runCalls';
import { differencesOf, exchangesOf, nameOf, rulesFor, shown } from './exchanges';
import type { Recording } from './recording';

/** How long a server may take to answer a request of a recording, or to take a notification, in milliseconds. */
export const maxReplayedMs = 60_000;

/** At most this many differences of an answer are named. */
const maxTold = 5;

/** A connection to a server, before its first message. */
export interface ReplayChannel {
  /** Rejects if this message was refused. */
  send(message: JsonRecord): Promise<void>;
  onMessage: (message: unknown) => void;
  /** Called when the server is gone. */
  onEnd: () => void;
  /** Called with the revision that the server chose, before anything else is sent. */
  setProtocolVersion?(version: string): void;
}

/** The answer to a request, or a sentence that says why there is none. */
type Answered = JsonRecord | string;

const endedBefore = 'The server ended before it answered.';

/** Sends the requests of a recording to a server, one after another, and says which answers are not as recorded. */
export class Replay {
  private readonly recording: Recording;
  private readonly channel: ReplayChannel;
  private readonly waiting = new Map<unknown, Deferred<Answered>>();
  /** The recorded answers of the client, by the method of the question. */
  private readonly answers: ReadonlyMap<string, JsonRecord[]>;
  private hasEnded = false;

  constructor(recording: Recording, channel: ReplayChannel) {
    this.recording = recording;
    this.channel = channel;
    this.answers = answersIn(recording);
    channel.onMessage = (message) => this.receive(asRecord(message));
    channel.onEnd = () => {
      this.hasEnded = true;
      for (const one of this.waiting.values()) one.resolve(endedBefore);
    };
  }

  /** Sends everything; rejects if `signal` aborts. */
  async run(
    signal: AbortSignal,
    onEnd?: (result: StepResult) => void,
  ): Promise<readonly StepResult[]> {
    const exchanges = exchangesOf(this.recording).values();
    const results: StepResult[] = [];
    for (const { from, message } of this.recording.messages) {
      signal.throwIfAborted();
      const { id, method, params } = message;
      if (from !== 'client' || typeof method !== 'string') continue;
      const began = performance.now();
      const ended =
        id === undefined
          ? await this.notify(message, signal)
          : await this.ask(message, exchanges.next().value?.answer, signal);
      if (!ended) continue;
      const durationMs = performance.now() - began;
      const name = plainLabel([method, nameOf(asRecord(params))].filter(Boolean).join(' '), 200);
      const result = { step: stepNamed(name, results.length), durationMs, warnings: [], ...ended };
      results.push(result);
      onEnd?.(result);
    }
    return results;
  }

  /** Sends a notification, which has a result only if the server did not take it. */
  private async notify(message: JsonRecord, signal: AbortSignal): Promise<Ended | undefined> {
    // Requests are answered one after another, so that there is none to cancel.
    if (message['method'] === 'notifications/cancelled' || this.hasEnded) return undefined;
    const sent = this.channel.send(message).then(() => undefined, refusal);
    const late = `It was not taken within ${maxReplayedMs / 1000} s.`;
    const problem = await inTime(sent, late, signal);
    // The next request tells of the end.
    if (problem === undefined || this.hasEnded) return undefined;
    return { outcome: 'failed', failures: [{ message: problem }] };
  }

  private async ask(
    request: JsonRecord,
    recorded: JsonRecord | undefined,
    signal: AbortSignal,
  ): Promise<Ended> {
    const skip = (message: string) => ({ outcome: 'skipped', failures: [{ message }] }) as const;
    if (!recorded) return skip('It was not answered when it was recorded.');
    if (JSON.stringify(request).includes(redacted))
      return skip('A secret in it was masked: write its value into the recording to send it.');
    const answered = deferred<Answered>();
    const { id, method } = request;
    this.waiting.set(id, answered);
    try {
      if (this.hasEnded) answered.resolve(endedBefore);
      // An answer may arrive before the message counts as sent, or although it never does.
      else this.channel.send(request).catch((error: unknown) => answered.resolve(refusal(error)));
      const late = `There was no answer within ${maxReplayedMs / 1000} s.`;
      const answer = await inTime(answered.promise, late, signal);
      const version = method === 'initialize' && chosenVersion(answer);
      if (version) this.channel.setProtocolVersion?.(version);
      const failures = this.compare(request, recorded, answer);
      return { outcome: failures.length === 0 ? 'passed' : 'failed', failures };
    } finally {
      this.waiting.delete(id);
    }
  }

  private compare(
    { method, params }: JsonRecord,
    recorded: JsonRecord,
    answer: Answered,
  ): readonly Failure[] {
    if (typeof answer === 'string') return [{ message: answer }];
    const [want, have] = [recorded, answer].map(bodyOf);
    const rules = rulesFor(this.recording.rules, String(method), asRecord(params));
    const ignored = rules.flatMap(({ ignoreInAnswer }) => ignoreInAnswer);
    const [wasError, isError] = [recorded, answer].map(({ error }) => error !== undefined);
    const differences = differencesOf(want, have, ignored);
    if (wasError === isError && differences.length === 0) return [];
    const told = differences
      .slice(0, maxTold)
      .map(({ path, want: was, have: is }) => `${path}: recorded ${shown(was)}, got ${shown(is)}`);
    const left = differences.length - told.length;
    const message =
      wasError === isError
        ? `The answer differs in ${told.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`
        : `An error ${isError ? 'came back, but a result' : 'was recorded, but a result'} ${isError ? 'was recorded' : 'came back'}.`;
    return [{ message, expected: jsonText(want, 2), actual: jsonText(have, 2) }];
  }

  private receive(message: JsonRecord): void {
    const { id, method } = message;
    if (typeof method !== 'string') return this.waiting.get(id)?.resolve(message);
    if (id === undefined) return;
    const missing = { error: { code: ErrorCode.methodNotFound, message: 'Not in the recording.' } };
    const body =
      this.answers.get(method)?.shift() ?? (method === 'ping' ? { result: {} } : missing);
    // A server that does not take the answer it asked for is told about by the request that it leaves open.
    this.channel.send({ jsonrpc: '2.0', id, ...body }).catch(() => {});
  }
}

type Ended = Pick<StepResult, 'outcome' | 'failures'>;

/** Resolves as `promise` does, or with `late` if that takes too long; rejects as soon as `signal` aborts. */
async function inTime<T>(promise: Promise<T>, late: string, signal: AbortSignal) {
  const over = deferred<string>();
  const timer = new Timer(() => over.resolve(late));
  timer.start(maxReplayedMs);
  try {
    return await untilAborted(Promise.race([promise, over.promise]), signal);
  } finally {
    timer.dispose();
  }
}

function refusal(error: unknown): string {
  return `It could not be sent: ${errorMessage(error)}`;
}

function chosenVersion(answer: Answered): string | undefined {
  const { protocolVersion } = asRecord(asRecord(answer)['result']);
  return typeof protocolVersion === 'string' ? protocolVersion : undefined;
}

function answersIn({ messages }: Recording): ReadonlyMap<string, JsonRecord[]> {
  const methods = new Map<unknown, string>();
  const answers = new Map<string, JsonRecord[]>();
  for (const { from, message } of messages) {
    const { id, method, result, error } = message;
    if (from === 'server' && typeof method === 'string' && id !== undefined)
      methods.set(id, method);
    const asked = from === 'client' && method === undefined ? methods.get(id) : undefined;
    if (asked === undefined) continue;
    const known = answers.get(asked) ?? [];
    known.push(error === undefined ? { result } : { error });
    answers.set(asked, known);
  }
  return answers;
}

function bodyOf({ result, error }: JsonRecord): unknown {
  return error ?? result;
}

const nowhere = { line: 0, character: 0, endLine: 0, endCharacter: 0 };

function stepNamed(name: string, index: number): StepResult['step'] {
  const request = { kind: 'list', list: 'tools' } as const;
  return { name, request, expect: {}, save: {}, index, range: nowhere, nameRange: nowhere };
}
