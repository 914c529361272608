import * as vscode from 'vscode';
import { neverAborted, signalOf } from '../base/async';
import { UserError } from '../base/errors';
import { type JsonRecord, asRecord, canonicalJson, isRecord } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { plainLabel } from '../base/text/text';
import type {
  RecentAnswer,
  RecentCall,
  RunToolOptions,
  OutcomeView,
  ToolCall,
} from '../contracts/toolCalls';
import type { CallGate } from '../gate/toolGate';
import { type JsonObject, entryNamed, isProtocolMeta } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { type TrafficEntry, nextCursorOf, outcomeOfEntry } from '../mcp/traffic/trafficEntry';
import type { TrafficRecorder, TrafficRecords } from '../mcp/traffic/trafficRecorder';
import type { DocumentInput } from '../ui/documents/documentInput';
import { Command } from '../ui/ids';
import { showMessage, withProgress } from '../ui/messages';
import type { Questions } from '../ui/questions/questions';
import type { UserAction } from '../ui/questions/question';
import type { Permit } from '../ui/keyboard';
import { type Mask, maskedCopy } from '../base/secretMask';
import { redacted } from '../base/secrets';
import { serverOfRow, type TrafficRow } from './trafficRow';
import { getNodeValue } from 'jsonc-parser';
import { readJsonc } from '../base/text/jsonc';
import type { Translate } from '../base/translate';
import { findInexactNumber, inexactNumberText } from '../mcp/protocol/inexactNumber';
import { readCallToolResult } from '../mcp/protocol/results';

/**
 * Returns the tool call that a row stands for, and its answer if known; `undefined` if the row is not a tool call
 * or not whole.
 */
export function recordedCall(row: TrafficRow, mask: Mask): RecentCall | undefined {
  const { traffic } = row;
  const server = serverOfRow(row);
  const { value, isCut, direction, kind, method } = traffic;
  const { name, arguments: args, _meta } = asRecord(asRecord(value)['params']);
  const isCall = direction === 'sent' && kind === 'request' && method === 'tools/call';
  if (!server || !isCall || isCut || typeof name !== 'string') return undefined;
  const answer = answerOf(traffic);
  const meta = writtenMeta(_meta);
  return {
    server: { id: server.id, name: server.name },
    tool: entryNamed(server.tools, name) ?? { name, inputSchema: {} },
    arguments: asRecord(maskedCopy(args ?? {}, mask)) as JsonObject,
    ...(meta && { meta: asRecord(maskedCopy(meta, mask)) as JsonObject }),
    ...(answer && { answer }),
  };
}

function answerOf(entry: TrafficEntry): RecentAnswer | undefined {
  const { answer } = entry;
  if (!answer || answer.isCut) return undefined;
  const outcome = outcomeOfEntry(entry);
  if (outcome.kind === 'error')
    return typeof outcome.code === 'number' ? { kind: 'error', code: outcome.code } : undefined;
  const result = asRecord(asRecord(answer.value)['result']);
  // The result of a call that became a task is elsewhere.
  return Array.isArray(result['content'])
    ? { kind: 'result', result: readCallToolResult(result) }
    : undefined;
}

/** A request or notification, without what is added to it each time it is sent. */
interface RequestDraft {
  readonly method: string;
  readonly params: JsonRecord;
}

/** Returns what somebody wrote into `_meta`, besides what is added to it each time; `undefined` if nothing. */
function writtenMeta(meta: unknown): JsonRecord | undefined {
  const own = Object.entries(asRecord(meta)).filter(
    ([name]) => name !== 'traceparent' && !isProtocolMeta(name),
  );
  return own.length > 0 ? Object.fromEntries(own) : undefined;
}

/** Returns the draft for sending an entry again. */
export function draftOf({ method, value }: TrafficEntry): RequestDraft {
  const { _meta, ...params } = asRecord(asRecord(value)['params']);
  const meta = writtenMeta(_meta);
  return { method, params: meta ? { ...params, _meta: meta } : params };
}

/** Formats a draft as text to edit, without secrets. */
export function requestText(draft: RequestDraft, mask: Mask): string {
  return `${JSON.stringify(maskedCopy(draft, mask), null, 2)}\n`;
}

/** Reads an edited draft, or says in a sentence what is wrong with it. */
export function readDraft(text: string, t: Translate): RequestDraft | { readonly problem: string } {
  if (text.includes(redacted))
    return { problem: t('Replace {0} with the value that was taken out.', redacted) };
  const { root, problem } = readJsonc(text, t);
  if (problem) return { problem: problem.message };
  const inexact = findInexactNumber(text);
  if (inexact) return { problem: inexactNumberText(inexact, t) };
  const { method, params = {} } = asRecord(root && getNodeValue(root));
  if (typeof method !== 'string' || method === '')
    return { problem: t('"method" must be the name of a method.') };
  return isRecord(params) ? { method, params } : { problem: t('"params" must be a JSON object.') };
}

/** What sending from the traffic needs. */
export interface SendDeps {
  readonly records: TrafficRecords;
  readonly gate: CallGate;
  readonly input: DocumentInput;
  readonly mask: Mask;
  readonly outcomes: OutcomeView;
  readonly questions: Pick<Questions, 'stillBy'>;
  readonly open: (row: TrafficRow, action: UserAction) => Promise<unknown>;
  /** Tells the user why something failed. */
  readonly tellFailure: (error: unknown) => void;
}

/** Returns the draft for sending an entry again; throws a `UserError` if it was too large to keep whole. */
export function wholeDraft(entry: TrafficEntry): RequestDraft {
  if (!entry.isCut) return draftOf(entry);
  throw new UserError(vscode.l10n.t('The message was too large to keep whole.'));
}

/** Returns the draft for the next page of the list that an entry asked for. */
export function nextPageDraft(entry: TrafficEntry): RequestDraft {
  const { method, params } = wholeDraft(entry);
  return { method, params: { ...params, cursor: nextCursorOf(entry) } };
}

/** Lets the user edit a request or notification until they send it or leave it. */
export async function editAndSend(
  server: Server,
  draft: RequestDraft,
  deps: SendDeps,
  action: UserAction,
): Promise<void> {
  const { t } = vscode.l10n;
  let permit: Permit = action;
  const first = requestText(draft, deps.mask);
  let text = first;
  for (;;) {
    const answer = await deps.input.ask({
      name: `${sanitize(draft.method)}.json`,
      text,
      permit,
      choices: [
        {
          id: 'send',
          title: `$(play) ${t('Send to {0}', plainLabel(server.name))}`,
          command: Command.sendReviewed,
        },
      ],
      check: (edited) => {
        const read = readDraft(edited, t);
        return 'problem' in read ? read.problem : undefined;
      },
    });
    const read = readDraft(answer.text, t);
    if (answer.choice !== 'send' || 'problem' in read) {
      if (answer.text === first) return;
      permit = await wantsBack();
      if (!permit) return;
      ({ text } = answer);
      continue;
    }
    const sentBy = answer.action ?? action;
    const back = await sendEdited(server, read, deps, sentBy);
    if (!back) return;
    const { left } = back;
    ({ permit } = back);
    text = isSame(left, read.params['arguments'])
      ? answer.text
      : requestText({ ...read, params: { ...read.params, arguments: left } }, asWritten);
  }
}

/** Offers to continue editing a request whose document was closed. */
async function wantsBack(): Promise<UserAction | undefined> {
  const told = vscode.l10n.t('The request was closed and not sent.');
  return (await showMessage('info', told, vscode.l10n.t('Edit Again')))?.action;
}

/** The arguments to continue with, and the action that led back to them. */
interface GoneBackFrom {
  readonly left: JsonObject;
  readonly permit: Permit;
}

/**
 * Sends a draft; resolves with the arguments to continue with if the user went back from the question or nothing
 * was sent.
 */
async function sendEdited(
  server: Server,
  draft: RequestDraft,
  deps: SendDeps,
  action: UserAction,
): Promise<GoneBackFrom | undefined> {
  const recorder = deps.records.of(server.id);
  const before = recorder.latest;
  try {
    const back = await sendDraft(server, draft, deps, action, { canGoBack: true });
    if (back) return back;
  } catch (error) {
    deps.tellFailure(error);
  }
  const { method, params } = draft;
  if (sentSince(recorder, before, method)) return undefined;
  const left = asRecord(params['arguments']) as JsonObject;
  return { left, permit: deps.questions.stillBy(action, server.id) };
}

/** Finds the entry that was sent with this method after the entry with this number. */
function sentSince(
  { entries }: TrafficRecorder,
  number: number,
  method: string,
): TrafficEntry | undefined {
  return entries.find(
    ({ number: own, direction, peer, method: sent }) =>
      own > number && direction === 'sent' && !peer && sent === method,
  );
}

/**
 * Sends a request and shows the answer, or sends a notification; resolves with the arguments of a tool call if
 * the user went back from it instead.
 */
export async function sendDraft(
  server: Server,
  draft: RequestDraft,
  deps: SendDeps,
  action: UserAction,
  options: Pick<RunToolOptions, 'canGoBack'> = {},
): Promise<GoneBackFrom | undefined> {
  const { method, params } = draft;
  if (method === 'tools/call') return callTool(server, params, deps, { ...options, action });
  if (method.startsWith('notifications/')) await server.sendNotification(method, params);
  else await request(server, draft, deps, action);
  return undefined;
}

async function request(
  server: Server,
  { method, params }: RequestDraft,
  deps: SendDeps,
  action: UserAction,
): Promise<void> {
  const recorder = deps.records.of(server.id);
  const before = recorder.latest;
  const title = vscode.l10n.t('Sending {0}…', plainLabel(method));
  const location = vscode.ProgressLocation.Notification;
  const failure = await withProgress(
    { location, title, cancellable: true },
    async (_progress, token) => {
      try {
        await server.sendRequest(method, params, { signal: signalOf(token) });
        return undefined;
      } catch (error) {
        return { error };
      }
    },
  );
  const sent = sentSince(recorder, before, method);
  // An error response from the server is an answer, too.
  if (sent?.answer) await deps.open({ traffic: sent, server }, action);
  else if (failure) throw failure.error;
}

/** What users wrote themselves is shown to them unmasked. */
const asWritten: Mask = (text) => text;

function isSame(a: JsonObject, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(asRecord(b));
}

/** Tool calls pass through the gate, no matter who makes them. */
async function callTool(
  server: Server,
  params: RequestDraft['params'],
  { gate, outcomes, questions }: SendDeps,
  { action, ...options }: Pick<RunToolOptions, 'canGoBack'> & { readonly action: UserAction },
): Promise<GoneBackFrom | undefined> {
  const { name, arguments: given, _meta: meta } = params;
  if (typeof name !== 'string')
    throw new UserError(vscode.l10n.t('"name" must be the name of a tool.'));
  const tool = entryNamed(server.tools, name) ?? { name, inputSchema: {} };
  const args = asRecord(given) as JsonObject;
  const proposed: ToolCall = {
    server,
    tool,
    arguments: args,
    ...(isRecord(meta) && { meta: meta as JsonObject }),
    mayBeUnlisted: true,
    origin: { kind: 'user', action },
  };
  let back: GoneBackFrom | undefined;
  const outcome = await gate.run(proposed, {
    ...options,
    signal: neverAborted(),
    onBack: (left, permit) => (back = { left, permit }),
  });
  if (!back) await outcomes.show(proposed, outcome, questions.stillBy(action, server.id));
  return back;
}
