import { delay } from '../../base/async';
import { canonicalJson, isRecord } from '../../base/json';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import { type Translate, listText } from '../../base/translate';
import { errorMessage } from '../../base/errors';
import { type ListKind, listKinds } from '../../mcp/lists/listSpecs';
import { ErrorCode, findRpcError } from '../../mcp/protocol/rpcError';
import { knows } from '../../mcp/protocol/revisions';
import { type JsonObject, type Tool, entryNamed } from '../../mcp/protocol/types';
import { templateVariables } from '../../mcp/protocol/uriTemplate';
import { problemsText } from '../../mcp/schema/words';
import type { Server } from '../../mcp/server';
import { sessionInfo } from '../../mcp/serverState';
import type { TrafficRecorder } from '../../mcp/traffic/trafficRecorder';
import type { StepAnswered } from '../expect/answer';
import type { StepRequest } from '../format/calls';
import { type CallsSession, DeniedCallError, sendStep } from '../session';
import {
  type DefinitionCheckDeps,
  type ListsFound,
  completionProblem,
  named,
  readLists,
} from './checkDefinitions';
import {
  type Observation,
  deniedHere,
  lastResult,
  latestCall,
  makeUpName,
  refused,
  sentenceOf,
  unknownTool,
  untried,
} from './checkResult';

/** At most this many tools are called in a check, if the user lets it. */
export const maxCheckedTools = 10;
/** A list that is another at each of this many more readings has no order that lasts. */
const moreReadings = 3;
const noSuchResource = -32002;

/** The session of a check, started for it alone. */
export interface CheckedSession extends CallsSession {
  /** All of its traffic, which nothing else is in. */
  readonly traffic: TrafficRecorder;
}

/** What the check of a server's answers needs besides: who lets tools be called, and how long it waits. */
export interface BehaviorCheckDeps extends DefinitionCheckDeps {
  /** Resolves with true if these tools, which say that they only read, may be called without arguments. */
  readonly allowCalls: (tools: readonly Tool[]) => Promise<boolean>;
  /** How long to wait for what the server does some time after its start, such as asking for roots, in milliseconds. */
  readonly quietMs: number;
}

/**
 * Sends a server requests, many of which it should refuse, and checks its answers. No tool is called that nobody has
 * allowed, whatever it says of itself: only names that the server does not have, and could not know before.
 */
export class BehaviorCheck {
  private readonly session: CheckedSession;
  private readonly server: Server;
  private readonly reading: ListsFound;
  private readonly deps: BehaviorCheckDeps;
  private readonly t: Translate;
  private readonly isModern: boolean;
  private readonly noSuchName = makeUpName();

  constructor(session: CheckedSession, reading: ListsFound, deps: BehaviorCheckDeps) {
    this.session = session;
    this.server = session.server;
    this.reading = reading;
    this.deps = deps;
    this.t = deps.t;
    this.isModern = knows(sessionInfo(this.server.state)?.protocolVersion, 'statelessRequests');
  }

  async run(): Promise<readonly Observation[]> {
    const { signal, quietMs } = this.deps;
    const capabilities = sessionInfo(this.server.state)?.capabilities ?? {};
    const usual = [
      await this.stable(),
      await this.ping(),
      await this.subscribe(),
      ...(await this.completions()),
      ...(await this.results()),
    ];
    await delay(quietMs, signal);
    const { state } = this.server;
    const seen = (state.kind === 'running' && state.problems) || [];
    const handshake: Observation = { id: 'handshake', seen };
    const before = this.session.traffic.latest;
    await this.server.sendNotification(`notifications/${this.noSuchName}`, {}).catch(() => {});
    const { noSuchName, t } = this;
    return [
      handshake,
      ...usual,
      refused(
        'unknownMethod',
        [ErrorCode.methodNotFound],
        await this.raw(`${noSuchName}/none`, {}),
        t,
      ),
      capabilities.tools
        ? unknownTool(await this.ask({ kind: 'call', name: noSuchName, arguments: {} }), t)
        : untried('unknownTool', t('The server has no tools.')),
      capabilities.prompts
        ? refused(
            'unknownPrompt',
            [ErrorCode.invalidParams],
            await this.ask({ kind: 'prompt', name: noSuchName, arguments: {} }),
            t,
          )
        : untried('unknownPrompt', t('The server has no prompts.')),
      capabilities.resources
        ? refused(
            'unknownResource',
            [noSuchResource, ErrorCode.invalidParams],
            await this.ask({ kind: 'read', uri: `${noSuchName}://none` }),
            t,
          )
        : untried('unknownResource', t('The server has no resources.')),
      this.answersSince(before),
      await this.cancel(),
    ];
  }

  private ask(request: StepRequest): Promise<StepAnswered> {
    const { lists } = this.reading;
    if (request.kind === 'call' && entryNamed(lists.tools, request.name))
      throw new Error(`A check calls no tool: ${request.name}`);
    return sendStep(this.session, request, { signal: this.deps.signal });
  }

  /** Sends a request whose result is looked at as it comes. */
  private async raw(method: string, params: JsonObject): Promise<StepAnswered> {
    const { signal } = this.deps;
    try {
      return { kind: 'result', result: await this.server.sendRequest(method, params, { signal }) };
    } catch (error) {
      signal.throwIfAborted();
      const found = findRpcError(error);
      return found
        ? { kind: 'error', code: found.code, message: found.message }
        : { kind: 'error', message: errorMessage(error, this.t) };
    }
  }

  /** Reads lists again: one that changed once may have changed, and one that changes always has no order. */
  private async stable(): Promise<Observation> {
    const { lists } = this.reading;
    if (listKinds.some((kind) => lists[kind].cut !== undefined))
      return untried('stable', this.t('A list does not end.'));
    // What a failed reading says of a list is nothing, not that it is empty.
    const textOf = (kind: ListKind, read: ListsFound) =>
      read.unread.includes(kind) ? undefined : canonicalJson(read.lists[kind].items);
    const before = new Map(listKinds.map((kind) => [kind, textOf(kind, this.reading)]));
    const compared = new Map<ListKind, number>();
    const changes = new Map<ListKind, number>();
    for (let count = 0; count < moreReadings; count += 1) {
      const now = await readLists(this.server, this.deps.signal, this.t);
      for (const kind of listKinds) {
        const [was, is] = [before.get(kind), textOf(kind, now)];
        if (is === undefined) continue;
        before.set(kind, is);
        if (was === undefined) continue;
        compared.set(kind, (compared.get(kind) ?? 0) + 1);
        if (was !== is) changes.set(kind, (changes.get(kind) ?? 0) + 1);
      }
      if (changes.size === 0 && compared.size === listKinds.length) break;
    }
    const seen = [...changes].flatMap(([kind, count]) =>
      count > 1
        ? [
            this.t(
              'The list of {0} was another at {1} of {2} more readings.',
              kind,
              String(count),
              String(compared.get(kind)),
            ),
          ]
        : [],
    );
    const missed = listKinds.filter((kind) => !compared.has(kind));
    return seen.length === 0 && missed.length > 0
      ? untried('stable', this.t('Not read twice: {0}.', listText(missed, this.t)))
      : { id: 'stable', seen };
  }

  private async ping(): Promise<Observation> {
    if (this.isModern) return untried('ping', this.t('Its revision has no ping.'));
    const answer = await this.raw('ping', {});
    return { id: 'ping', seen: answer.kind === 'result' ? [] : [sentenceOf(answer, this.t)] };
  }

  private async subscribe(): Promise<Observation> {
    const { resources } = sessionInfo(this.server.state)?.capabilities ?? {};
    const [first] = this.reading.lists.resources.items;
    if (this.isModern || !resources?.subscribe)
      return untried('subscribe', this.t('The server does not offer it.'));
    if (!first) return untried('subscribe', this.t('The server lists no resource.'));
    const { uri } = first;
    const answer = await this.raw('resources/subscribe', { uri });
    if (answer.kind === 'error') return { id: 'subscribe', seen: [sentenceOf(answer, this.t)] };
    await this.raw('resources/unsubscribe', { uri });
    return { id: 'subscribe', seen: [] };
  }

  private async completions(): Promise<readonly Observation[]> {
    const { completions } = sessionInfo(this.server.state)?.capabilities ?? {};
    if (!completions) return [untried('completions', this.t('The server does not offer any.'))];
    const { prompts, resourceTemplates } = this.reading.lists;
    const asked = [
      ...prompts.items.flatMap(({ name, arguments: args = [] }) =>
        args.slice(0, 1).map((arg) => ({ ref: { type: 'ref/prompt', name }, name: arg.name })),
      ),
      ...resourceTemplates.items.flatMap(({ uriTemplate: uri }) =>
        templateVariables(uri)
          .slice(0, 1)
          .map(({ name }) => ({ ref: { type: 'ref/resource', uri }, name })),
      ),
    ].slice(0, maxCheckedTools);
    if (asked.length === 0) return [untried('completions', this.t('Nothing has arguments.'))];
    const seen: string[] = [];
    for (const { ref, name } of asked) {
      const argument = { name, value: '' };
      const answer = await this.raw('completion/complete', { ref, argument });
      const problem =
        answer.kind === 'error'
          ? sentenceOf(answer, this.t)
          : completionProblem(answer.result, this.t);
      if (problem) seen.push(this.t('"{0}": {1}', plainLabel(name, 100), problem));
    }
    return [{ id: 'completions', seen }];
  }

  /** Calls the tools that say that they only read and that need no arguments, if the user lets it. */
  private async results(): Promise<readonly Observation[]> {
    const { t } = this;
    const both = (reason: string) => [untried('content', reason), untried('structured', reason)];
    const harmless = this.reading.lists.tools.items.filter(
      ({ annotations, inputSchema }) =>
        annotations?.readOnlyHint === true && !(inputSchema['required'] as [] | undefined)?.length,
    );
    const tools = harmless.slice(0, maxCheckedTools);
    if (tools.length === 0)
      return both(t('No tool says that it only reads and needs no arguments.'));
    if (!(await this.deps.allowCalls(tools))) return both(t('Its tools were not called.'));
    const content: string[] = [];
    const structured: string[] = [];
    const seen = { content: 0, structured: 0 };
    for (const tool of tools) {
      const { name } = tool;
      const step = { kind: 'call', name, arguments: {} } as const;
      const { signal, schemas } = this.deps;
      const answer = await sendStep(this.session, step, { signal });
      if (answer.kind === 'error') continue;
      const raw = lastResult(this.session.traffic);
      if (!raw) continue;
      const shown = plainLabel(name, 100);
      seen.content += 1;
      if (!Array.isArray(raw['content'])) content.push(t('"{0}" answered without.', shown));
      if (!tool.outputSchema || raw['isError'] === true) continue;
      seen.structured += 1;
      const value = raw['structuredContent'];
      const validation =
        value === undefined ? undefined : await schemas.check(tool.outputSchema, value);
      if (!validation) structured.push(t('"{0}" answered without structured content.', shown));
      else if (validation.kind === 'invalid')
        structured.push(t('"{0}": {1}', shown, t('{0}.', problemsText(validation.problems, t))));
    }
    const none = t('No tool answered with a result that could be looked at.');
    const noSchema = tools.every(({ outputSchema }) => !outputSchema);
    return [
      seen.content > 0 ? { id: 'content', seen: named(content, t) } : untried('content', none),
      seen.structured > 0
        ? { id: 'structured', seen: named(structured, t) }
        : untried(
            'structured',
            noSchema ? t('None of the tools that were called has an output schema.') : none,
          ),
    ];
  }

  /** Answers that belong to no request came after a notification. */
  private answersSince(number: number): Observation {
    const answers = this.session.traffic.entries.filter(
      ({ number: at, kind, value }) =>
        at > number && kind === 'response' && isRecord(value) && (value['id'] ?? null) === null,
    );
    return {
      id: 'notification',
      seen: named(
        answers.map(({ value }) => plainLabel(jsonText(value), 200)),
        this.t,
      ),
    };
  }

  private async cancel(): Promise<Observation> {
    const { traffic } = this.session;
    const withdrawn = new AbortController();
    const { latest } = traffic;
    // Once it is on its way: a call that is withdrawn before is never sent.
    const sent = traffic.onDidChange(() => {
      const call = latestCall(traffic);
      if (call && call.number > latest) withdrawn.abort();
    });
    const error = await this.session.call(this.noSuchName, {}, { signal: withdrawn.signal }).then(
      () => {},
      (reason: unknown) => reason,
    );
    sent.dispose();
    if (error instanceof DeniedCallError) return untried('cancel', deniedHere(this.t));
    if (!withdrawn.signal.aborted)
      return untried('cancel', this.t('No call was sent to be withdrawn.'));
    const dead = (reason: string): Observation => ({
      id: 'cancel',
      seen: [this.t('The next request failed: {0}', plainLabel(reason))],
    });
    // A request would start a server again that has ended.
    const { state } = this.server;
    if (state.kind === 'failed') return dead(state.message);
    const answer = await this.raw(this.isModern ? 'server/discover' : 'ping', {});
    const isAnswered = answer.kind === 'result' || answer.code !== undefined;
    return isAnswered ? { id: 'cancel', seen: [] } : dead(answer.message);
  }
}
