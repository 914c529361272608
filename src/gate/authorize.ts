import type { LocalizableMessage } from '../base/translate';
import { identityFingerprint, toolIdentity, type ToolIdentity } from '../mcp/serverIdentity';
import { entryNamed, type JsonObject, type Tool } from '../mcp/protocol/types';
import { type ServerInfo, sessionInfo } from '../mcp/serverState';
import { canonicalJson } from '../base/json';
import { hasHidden } from '../base/text/text';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { SchemaProblem, ValidationResult } from '../mcp/schema/validation';
import { problemsText, uncheckedText } from '../mcp/schema/words';
import {
  readResourceTool,
  type CallInView,
  type ToolCall,
  type ToolOutcome,
} from '../contracts/toolCalls';
import type { Decider, Decision, UserAction, Withdrawal } from '../contracts/questionOutcome';
import { extensionToolsSetting } from '../config/switches/serverRules';
import { Setting } from '../ui/ids';
import { type Approval, type Change, identityChanges } from './decide/approval';
import { type CallQuestions, askWhileRunning } from './ask/callQuestions';
import type { Allowed, Answer, CallQuestion } from './ask/callQuestion';
import { hiddenPart } from './decide/callable';
import { collectFacts, type FactSources } from './decide/collectFacts';
import { decide, type Concern, type Facts, type Rule, type AccessDecision } from './decide/decide';

/** The outcome if the user went back from their own call to where it came from, with these arguments. */
export interface GoneBack {
  readonly kind: 'back';
  readonly arguments: JsonObject;
  readonly by?: UserAction | undefined;
}

/** How a call is asked about. */
export interface AuthorizeOptions extends Pick<CallQuestion, 'canGoBack' | 'onEdit'> {
  readonly signal: AbortSignal;
  readonly onAsk: (call: ToolCall) => void;
  readonly inView?: CallInView | undefined;
}

interface DecidedCall {
  readonly kind: 'decided';
  readonly call: ToolCall;
  readonly decision: Decision;
}

/** A call that is to be sent. */
export interface AllowedCall extends DecidedCall {
  /** What the call was decided on, which is also what it still was as that was settled. */
  readonly identity: ToolIdentity;
  /** What the server said about itself then: the same object for as long as its session lasts. */
  readonly session: ServerInfo | undefined;
  readonly refused?: undefined;
  /** Undoes the counting of a call that is not sent after all. */
  readonly uncount?: () => void;
  /** What the schema finds wrong with arguments that are sent anyway, one sentence each. */
  readonly notes?: readonly LocalizableMessage[];
}

/** A call of which nothing is to be sent; `refused` is its outcome. */
interface RefusedCall extends DecidedCall {
  readonly refused: ToolOutcome;
}

/**
 * Decides on a call, by rule or by asking. Exactly what the user allowed is sent: the user is asked again if the
 * definition changes while the question is open, or if edited arguments do not match the schema.
 */
export async function authorize(
  proposed: ToolCall,
  given: FactSources,
  questions: Pick<CallQuestions, 'ask'>,
  { signal, onAsk, inView, ...asking }: AuthorizeOptions,
): Promise<AllowedCall | RefusedCall | GoneBack> {
  const sources = { ...given, schemas: keepingResult(given.schemas) };
  let call = proposed;
  let meanwhile: readonly Concern[] = [];
  let isAgain = false;
  let by = proposed.origin.kind === 'user' ? proposed.origin.action : undefined;
  for (;;) {
    const session = sessionInfo(call.server.state);
    const identity = await toolIdentity(call.server, call.tool);
    const facts = await collectFacts(call, sources);
    const { validation } = facts;
    if (call === proposed && isOfModel(call) && validation.kind === 'invalid')
      return refused(call, 'schema', unfit(validation.problems));
    const access = decideNow(call, facts, sources);
    if (access.kind === 'deny') return denied(call, ruleOf(access.rule));
    // Its arguments may be wrong on purpose: the file says what the server should answer.
    if (call.origin.kind === 'savedCalls') return allowed(call, call.origin, { identity, session });
    const changes = call === proposed && inView ? changesSince(inView, call, identity) : undefined;
    const hasChanged = changes !== undefined && changes.length > 0;
    const decidedBy = allowedBy(access, changes?.length === 0 && mayRunInView(call));
    if (decidedBy && meanwhile.length === 0) {
      const uncount = sources.counter.count(call.origin);
      return allowed(call, decidedBy, { identity, session, uncount, notes: notesOn(validation) });
    }

    const hidden = call === proposed && isOfModel(call) ? hiddenPart(call) : undefined;
    if (hidden) return refused(call, 'client', { kind: 'failed', message: hidden });
    const concerns: readonly Concern[] = [
      ...meanwhile,
      ...(hasChanged ? [{ kind: 'changed', changes } as const] : []),
      ...(access.kind === 'ask' ? access.concerns : []).filter(
        (concern) => !hasChanged || !isChange(concern),
      ),
    ];
    if (!isAgain) onAsk(proposed);
    const asked = { call, identity, validation };
    const mustAsk = meanwhile.length > 0;
    const question: CallQuestion = {
      call,
      proposed: proposed.arguments,
      concerns,
      ...asking,
      asked: by,
      isOpen: async () =>
        mustAsk ||
        decideNow(asked.call, await collectFacts(asked.call, sources), sources).kind === 'ask',
      settle: async (answer) => (answer.kind === 'allow' ? allow(answer, asked, sources) : answer),
    };
    const outcome = await askWhileRunning(questions, question, signal);
    if (outcome.kind === 'withdrawn') return withdrawn(call, outcome.reason);
    const { answer, how } = outcome;
    if (answer.kind === 'ruled') continue;
    if (answer.kind === 'back') return answer;
    if (answer.kind === 'deny') return denied(call, { kind: 'user', how }, answer.reason);
    const { isFinal, approved } = answer;
    ({ call, concerns: meanwhile } = answer);
    if (!isFinal) {
      isAgain = true;
      ({ by } = answer);
      continue;
    }
    const byAnswer = { kind: 'user', how, ...(approved && { approved }) } as const;
    const uncount = sources.counter.count(call.origin);
    const notes = notesOn(answer.validation);
    return allowed(call, byAnswer, { identity, session, uncount, notes });
  }
}

/**
 * Returns what says, before a call is sent, whether its tool and its server are still what it was decided on: the server may
 * have been started again for it, or signed in to, which takes as long as the user does.
 */
export function stillAsDecided({
  call: { server, tool },
  identity,
  session,
}: AllowedCall): () => Promise<boolean> {
  const find = () => (tool === readResourceTool ? tool : entryNamed(server.tools, tool.name));
  const wasListed = find() !== undefined;
  return async () => {
    const now = find();
    if ((now !== undefined) !== wasListed) return false;
    // A session has one launch and one set of instructions; a list outlasts it if the next one does not load.
    const isSameSession = session !== undefined && sessionInfo(server.state) === session;
    if (isSameSession && (now ?? tool) === tool) return true;
    const found = await toolIdentity(server, now ?? tool);
    return (await identityFingerprint(found)) === (await identityFingerprint(identity));
  };
}

/** Checks arguments again only if they, or the schema, are others than before: facts are collected several times for a call. */
function keepingResult({ check, find }: SchemaCheck): SchemaCheck {
  let latest:
    | { readonly schema: unknown; readonly value: unknown; readonly result: ValidationResult }
    | undefined;
  return {
    find,
    check: async (schema, value, property) => {
      if (latest?.schema === schema && latest.value === value && property === undefined)
        return latest.result;
      const result = await check(schema, value, property);
      // What could not be checked may be checked the next time.
      if (result.kind !== 'unchecked' && property === undefined) latest = { schema, value, result };
      return result;
    },
  };
}

/**
 * Decides on a call with the current counts; the caller must count an allowed call before anything else runs, or
 * parallel calls exceed the limits.
 */
function decideNow(
  call: ToolCall,
  facts: Omit<Facts, 'over'>,
  { counter, policy }: FactSources,
): AccessDecision {
  return decide({ ...facts, over: counter.over(call.origin, policy()) });
}

/** Compares what the user allowed with what they saw, and remembers an approval if nothing is left to ask. */
async function allow(
  answer: Answer & { readonly kind: 'allow' },
  asked: {
    readonly call: ToolCall;
    readonly identity: ToolIdentity;
    readonly validation: ValidationResult;
  },
  sources: FactSources,
): Promise<Allowed> {
  const { arguments: args, by } = answer;
  const { origin } = asked.call;
  const call = {
    ...asked.call,
    tool: definedNow(asked.call),
    arguments: args,
    // What follows the call follows the answer.
    ...(origin.kind === 'user' && by && { origin: { ...origin, action: by } }),
  };
  const now = await toolIdentity(call.server, call.tool);
  const isSame = (await identityFingerprint(now)) === (await identityFingerprint(asked.identity));
  const concerns: readonly Concern[] = isSame
    ? []
    : [{ kind: 'changed', changes: identityChanges(asked.identity, now) }];
  const { validation } = await collectFacts(call, sources);
  const isNew = canonicalJson(validation) !== canonicalJson(asked.validation);
  const isFinal = isSame && !(isNew && validation.kind === 'invalid');
  const approved = answer.remember;
  if (isFinal && approved) await sources.approvals.remember(call, approved);
  return { kind: 'allowed', call, concerns, validation, isFinal, approved, by };
}

/** True for a call by a model or an app, which can correct its arguments once it is told what is wrong. */
function isOfModel({ origin: { kind } }: ToolCall): boolean {
  return kind !== 'user' && kind !== 'savedCalls';
}

function allowed(
  call: ToolCall,
  decidedBy: Decider,
  of: Pick<AllowedCall, 'identity' | 'session' | 'uncount' | 'notes'>,
): AllowedCall {
  return { kind: 'decided', call, decision: { verdict: 'allowed', decidedBy }, ...of };
}

function refused(call: ToolCall, by: 'schema' | 'client', outcome: ToolOutcome): RefusedCall {
  return {
    kind: 'decided',
    call,
    decision: { verdict: 'refused', decidedBy: { kind: by } },
    refused: outcome,
  };
}

function denied(
  call: ToolCall,
  decidedBy: Decider & { readonly kind: 'user' | 'rule' | 'configuration' | 'administrator' },
  why?: string,
): RefusedCall {
  const reason = why ? { reason: why } : {};
  return {
    kind: 'decided',
    call,
    decision: { verdict: 'denied', decidedBy, ...reason },
    refused: { kind: 'denied', decidedBy, ...reason },
  };
}

function withdrawn(call: ToolCall, because: Withdrawal): RefusedCall {
  return {
    kind: 'decided',
    call,
    decision: { verdict: 'withdrawn', decidedBy: { kind: 'nobody', because } },
    refused: { kind: 'withdrawn', because },
  };
}

/**
 * Returns in what the tool and the launch of a user's own call differ from those that they had in view when they ran it;
 * `undefined` if it was another call.
 */
function changesSince(
  { server, arguments: args, meta, identity }: CallInView,
  call: ToolCall,
  now: ToolIdentity,
): readonly Change[] | undefined {
  const isSame =
    call.origin.kind === 'user' &&
    call.server === server &&
    call.tool.name === identity.definition.name &&
    canonicalJson([call.arguments, call.meta]) === canonicalJson([args, meta]);
  // Instructions are known only once the server runs, and are not what the user has run.
  return isSame
    ? identityChanges(identity, now).filter(({ part }) => part !== 'instructions')
    : undefined;
}

/** False for what a question shows better: characters that nobody sees, and what is said to delete or overwrite. */
function mayRunInView({ tool, arguments: args, meta }: ToolCall): boolean {
  return tool.annotations?.destructiveHint !== true && !hasHidden(canonicalJson([args, meta]));
}

function isChange({ kind }: Concern): boolean {
  return kind === 'changed';
}

/** Returns who allowed a call that need not be asked about; the user has if it `isConfirmed` and nothing speaks against it. */
function allowedBy(access: AccessDecision, isConfirmed: boolean): Decider | undefined {
  // What differs from when an approval was given stands on the page that the user runs it from.
  if (access.kind === 'ask')
    return isConfirmed && access.concerns.every(isChange) ? { kind: 'user' } : undefined;
  return access.kind === 'allow' ? byRule(access.by) : undefined;
}

function byRule(by: Approval | Rule): Decider {
  if (typeof by === 'string') return ruleOf(by);
  const { duration, coverage, givenAt } = by;
  return { kind: 'approval', duration, coverage, givenAt: new Date(givenAt).toISOString() };
}

function ruleOf(
  rule: Rule,
): Decider & { readonly kind: 'rule' | 'configuration' | 'administrator' } {
  if (rule === 'administratorFile') return { kind: 'administrator' };
  if (rule === 'toolFilter') return { kind: 'configuration' };
  return { kind: 'rule', setting: settings[rule] };
}

const settings: Readonly<Record<Exclude<Rule, 'toolFilter' | 'administratorFile'>, string>> = {
  administrator: extensionToolsSetting,
  denyList: Setting.toolDenyList,
  serverPolicy: Setting.toolServerPolicy,
  readOnlyHint: Setting.toolTrustReadOnlyHint,
};

function definedNow({ server, tool }: ToolCall): Tool {
  if (tool === readResourceTool) return tool;
  return entryNamed(server.tools, tool.name) ?? tool;
}

function unfit(problems: readonly SchemaProblem[]): ToolOutcome {
  return {
    kind: 'failed',
    message: (t) =>
      t(
        "The arguments do not match the tool's input schema, and nothing was sent. {0}.",
        problemsText(problems, t),
      ),
  };
}

/** Returns what the model and the reader of a result are told about arguments that were sent anyway. */
function notesOn(validation: ValidationResult): readonly LocalizableMessage[] {
  switch (validation.kind) {
    case 'unchecked':
      return [
        (t) => t('The arguments were not checked: {0}.', uncheckedText(validation.reason, t)),
      ];
    case 'invalid':
      return [(t) => t('The arguments do not match: {0}.', problemsText(validation.problems, t))];
    case 'valid':
      return validation.notes.length > 0
        ? [(t) => t('Unexpected format of arguments: {0}.', problemsText(validation.notes, t))]
        : [];
  }
}
