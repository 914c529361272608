import { deferred, type Deferred } from '../../base/async';
import { asRecord, type JsonRecord } from '../../base/json';
import { redacted } from '../../base/secrets';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import type { Failure } from '../expect/judge';
import type { StepResult } from '../runCalls';
import { differencesOf, exchangesOf, nameOf, rulesFor, shown } from './exchanges';
import type { Recording } from './recording';

/** How long a server may take to answer a request of a recording, in milliseconds. */
const maxReplayedMs = 60_000;

/** At most this many differences of an answer are named. */
const maxTold = 5;

/** A connection to a server, before its first message. */
export interface ReplayChannel {
  send(message: JsonRecord): Promise<void>;
  onMessage: (message: unknown) => void;
  /** Called when the server is gone. */
  onEnd: () => void;
}

/** Sends the requests of a recording to a server, one after another, and says which answers are not as recorded. */
export class Replay {
  private readonly recording: Recording;
  private readonly channel: ReplayChannel;
  private readonly waiting = new Map<unknown, Deferred<JsonRecord | undefined>>();
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
      for (const one of this.waiting.values()) one.resolve(undefined);
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
      if (id === undefined) {
        // Requests are answered one after another, so that there is none to cancel.
        if (method !== 'notifications/cancelled') await this.send(message);
        continue;
      }
      const { value: exchange } = exchanges.next();
      const began = performance.now();
      const ended = await this.ask(message, exchange?.answer, signal);
      const durationMs = performance.now() - began;
      const name = plainLabel([method, nameOf(asRecord(params))].filter(Boolean).join(' '), 200);
      const result = { step: stepNamed(name, results.length), durationMs, warnings: [], ...ended };
      results.push(result);
      onEnd?.(result);
    }
    return results;
  }

  private async ask(
    request: JsonRecord,
    recorded: JsonRecord | undefined,
    signal: AbortSignal,
  ): Promise<Pick<StepResult, 'outcome' | 'failures'>> {
    const skip = (message: string) => ({ outcome: 'skipped', failures: [{ message }] }) as const;
    if (!recorded) return skip('It was not answered when it was recorded.');
    if (JSON.stringify(request).includes(redacted))
      return skip('A secret in it was masked: write its value into the recording to send it.');
    const answered = deferred<JsonRecord | undefined>();
    const { id } = request;
    this.waiting.set(id, answered);
    const stop = () => answered.reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const late = setTimeout(() => answered.resolve({ late: true }), maxReplayedMs);
    try {
      await this.send(request);
      if (this.hasEnded) answered.resolve(undefined);
      const answer = await answered.promise;
      const failures = this.compare(request, recorded, answer);
      return { outcome: failures.length === 0 ? 'passed' : 'failed', failures };
    } finally {
      clearTimeout(late);
      signal.removeEventListener('abort', stop);
      this.waiting.delete(id);
    }
  }

  private compare(
    { method, params }: JsonRecord,
    recorded: JsonRecord,
    answer: JsonRecord | undefined,
  ): readonly Failure[] {
    if (!answer) return [{ message: 'The server ended before it answered.' }];
    if (answer['late'])
      return [{ message: `There was no answer within ${maxReplayedMs / 1000} s.` }];
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
    void this.send({ jsonrpc: '2.0', id, ...body });
  }

  private async send(message: JsonRecord): Promise<void> {
    try {
      await this.channel.send(message);
    } catch {
      // The end of the server is told to whoever waits for its answers.
      this.channel.onEnd();
    }
  }
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
