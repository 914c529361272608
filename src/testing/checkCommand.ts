import * as vscode from 'vscode';
import { signalOf } from '../base/async';
import { isRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { checkTimeouts, checkServer } from '../calls/check/checkServer';
import { checkText, isMadeUp } from '../calls/check/checkResult';
import { type CallsSession, endSession } from '../calls/session';
import type { CallGate } from '../gate/toolGate';
import { checkOrigin } from '../contracts/questionOutcome';
import type { Starts } from '../contracts/starts';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import { parseCalls } from '../calls/format/parseCalls';
import { escapeVariables } from '../calls/format/variables';
import type { Tool } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import { TrafficRecorder } from '../mcp/traffic/trafficRecorder';
import type { CallsConsent } from './consent';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { showMarkdownPreview } from '../ui/editorCommands';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { type AgreedTo, callThroughGate, toAgreeTo } from './sessions';
import { showPick } from '../ui/rows/picks';
import type { UserAction } from '../ui/questions/question';
import { withProgress } from '../ui/messages';

/** What checks of servers need. */
export interface CheckDeps {
  readonly servers: Servers;
  readonly starts: Pick<Starts, 'startBeside'>;
  readonly gate: CallGate;
  readonly consent: CallsConsent;
  readonly schemas: SchemaCheck;
  readonly files: MemoryFiles;
  readonly questions: Pick<Questions, 'stillBy'>;
  readonly logs: Pick<Logs, 'mask'>;
}

/** Makes the command that checks a server against the specification and shows the report. */
export function createCheckCommand(
  deps: CheckDeps,
): (action: UserAction, target?: unknown) => Promise<void> {
  const folders = new RecentFolders(deps.files, 'report');
  return async (action, target) => {
    const server = await chooseServer(action, target, deps.servers);
    if (!server) return;
    const { t } = vscode.l10n;
    const title = t('Checking {0}…', plainLabel(server.name));
    const text = await withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => check(server, deps, action, signalOf(token)),
    );
    const uri = folders
      .add([text])
      .add(`${t('Check of {0}', server.name).replaceAll('/', '∕')}.md`, text);
    // The check takes as long as its server: by then the user may be typing elsewhere.
    await showMarkdownPreview(uri, deps.questions.stillBy(action, server.id));
  };
}

async function check(
  { id, name }: Server,
  { starts, gate, schemas, consent, logs }: CheckDeps,
  action: UserAction,
  signal: AbortSignal,
): Promise<string> {
  // A process of its own shows how the server starts and ends, and leaves what the one in use is doing.
  const traffic = new TrafficRecorder((text) => logs.mask(text));
  const watch = { traffic, afterEndMs: checkTimeouts.endMs };
  const beside = await starts.startBeside(id, { asked: action, signal, watch });
  const { t } = vscode.l10n;
  try {
    // Of the tools of the server, none until the user lets it.
    let agreedTo = await toAgreeTo(beside.server, []);
    const call = callsOfCheck(gate, beside.server, () => agreedTo);
    const session = { ...beside, traffic, call };
    const allowCalls = async (tools: readonly Tool[]) => {
      const agreed = await mayCall(beside.server, tools, { consent, asked: action }, signal);
      if (agreed) agreedTo = agreed;
      return agreed !== undefined;
    };
    return checkText(name, await checkServer(session, { schemas, signal, allowCalls, t }), t);
  } finally {
    await endSession(beside, signal);
  }
}

/** Makes the function by which a check of a server calls what the user agreed to, and a tool that it does not have. */
export function callsOfCheck(
  gate: CallGate,
  server: Server,
  agreedTo: () => AgreedTo,
): CallsSession['call'] {
  const title = vscode.l10n.t('a tool that does not exist');
  return (name, args, options) =>
    callThroughGate(gate, checkOrigin, {
      server,
      agreedTo: agreedTo(),
      name,
      ...(isMadeUp(name) && { title }),
      args,
      ...options,
    });
}

/** Asks the user, as for saved calls, whether a check may call tools that say that they only read; returns what they agree to. */
async function mayCall(
  server: Server,
  tools: readonly Tool[],
  { consent, asked }: { readonly consent: CallsConsent; readonly asked: UserAction },
  signal: AbortSignal,
): Promise<AgreedTo | undefined> {
  const calls = tools.map(({ name }) => ({ call: escapeVariables(name) }));
  const { file } = parseCalls(JSON.stringify({ from: server.name, steps: calls }));
  if (!file) return undefined;
  const uri = vscode.Uri.from({ scheme: 'check', path: `/${vscode.l10n.t('the check')}` });
  const { steps } = file;
  const agreedTo = await toAgreeTo(server, steps);
  const { definitions } = agreedTo;
  const isAllowed = await consent.allows({ uri, file, steps, server, definitions, asked }, signal);
  return isAllowed ? agreedTo : undefined;
}

async function chooseServer(
  action: UserAction,
  target: unknown,
  servers: Servers,
): Promise<Server | undefined> {
  if (typeof target === 'string') return servers.get(target);
  if (isRecord(target) && 'server' in target) return target['server'] as Server;
  const items = servers.all.map((server) => ({ label: plainLabel(server.name), server }));
  const title = vscode.l10n.t('Check Server Against the Specification');
  return (await showPick(action, items, { title }))?.server;
}
