import * as vscode from 'vscode';
import { CancelledError, UserError, errorMessage } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { CallGate } from '../gate/toolGate';
import type { CallsFile, CallStep } from '../calls/format/calls';
import { DeniedCallError, type CallsSession } from '../calls/session';
import type { ToolOutcome } from '../contracts/toolCalls';
import { EndedAtStartError, type Starts, startError } from '../contracts/starts';
import { RpcError } from '../mcp/protocol/rpcError';
import { entryNamed, type CallToolResult } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import type { ServerRequestHandlers } from '../mcp/protocol/serverRequests';
import { sessionInfo } from '../mcp/serverState';
import type { UserAction } from '../ui/questions/question';
import { toolDefinition, toolDefinitions, type CallsConsent } from './consent';

/** What sessions for files of saved calls need. */
export interface SessionDeps {
  readonly servers: Servers;
  readonly starts: Pick<Starts, 'start' | 'startBeside'>;
  readonly gate: CallGate;
  readonly consent: CallsConsent;
  /** Present if the user has just asked for the run; a run that follows changes is none of theirs. */
  readonly asked?: UserAction | undefined;
  /** True for a run that the editor began, which does not say whether the user or a model wants it. */
  readonly mayBeOfModel?: boolean;
}

/** A run of some or all steps of a file of saved calls. */
export interface CallsRun {
  readonly uri: vscode.Uri;
  readonly file: CallsFile;
  readonly steps: readonly CallStep[];
  /** Withdraws the question for consent. */
  readonly signal: AbortSignal;
  /** What the user agrees to for all sessions of the run. */
  readonly agreed: Set<string>;
  /** Answers what the server asks; if `undefined`, the user does. */
  readonly requests?: ServerRequestHandlers | undefined;
}

/**
 * Opens a session on the workspace server that a file names, with the user's consent to what its tools are now; rejects
 * with a `UserError` if there is none or it does not run, and with a `CancelledError` without consent.
 */
export async function openCallsSession(run: CallsRun, deps: SessionDeps): Promise<CallsSession> {
  const { uri, file, agreed, requests } = run;
  if (!vscode.workspace.isTrusted)
    throw new UserError(
      vscode.l10n.t('Saved calls do not run in a workspace that is not trusted.'),
    );
  const server = findServer(uri, file, deps.servers);
  if (!requests?.listRoots || (await deps.consent.knowsRoots({ uri, file, server, agreed })))
    return openAgreed(server, run, deps);
  let hasAgreed = false;
  let toldNone = false;
  const held: ServerRequestHandlers = {
    ...requests,
    listRoots: async (...asked) => {
      if (hasAgreed) return (await requests.listRoots?.(...asked)) ?? [];
      toldNone = true;
      return [];
    },
  };
  const session = await openAgreed(server, { ...run, requests: held }, deps);
  hasAgreed = true;
  if (!toldNone) return session;
  // A server may look at its roots as it starts alone, and the first step shall find it with them.
  await session.end();
  return openAgreed(server, run, deps);
}

async function openAgreed(found: Server, run: CallsRun, deps: SessionDeps): Promise<CallsSession> {
  const { uri, file, steps, signal, agreed } = run;
  const { gate, consent, asked, mayBeOfModel } = deps;
  const { server, end, leave } = await serverFor(found, run, deps);
  let agreedTo: AgreedTo;
  try {
    // The user agrees to calls of tools as they are, which only a server that runs says.
    if (server.tools.status !== 'loaded') await server.tools.refresh();
    agreedTo = await toAgreeTo(server, file.steps);
    const { definitions } = agreedTo;
    const wanted = { uri, file, steps, server, definitions, asked, mayBeOfModel, agreed };
    if (!(await consent.allows(wanted, signal))) throw new CancelledError();
  } catch (error) {
    await leave();
    throw error;
  }
  return {
    server,
    call: (name, args, { signal: stop, onSend, meta }) =>
      callThroughGate(gate, uri.toString(), {
        server,
        agreedTo,
        name,
        args,
        meta,
        signal: stop,
        onSend,
      }),
    end,
  };
}

/**
 * Starts a server for the steps of a file alone, as a terminal does: what others did with the one that runs would change
 * what the steps find. `leave` ends what was started where no step is to run.
 */
async function serverFor(
  { id, name, state }: Server,
  { file: { session }, signal, requests }: CallsRun,
  { servers, starts, asked }: SessionDeps,
): Promise<Pick<CallsSession, 'server' | 'end'> & { readonly leave: () => Promise<void> }> {
  if (session !== 'running') {
    const beside = await starts
      .startBeside(id, {
        asked,
        signal,
        ...(requests && { watch: { requests } }),
      })
      .catch((error: unknown) => {
        if (!(error instanceof EndedAtStartError)) throw error;
        throw new UserError(
          vscode.l10n.t(
            '{0} These calls start a process of their own. If {1} can run only once, write "session": "running" into the file.',
            errorMessage(error, vscode.l10n.t),
            plainLabel(name),
          ),
          { cause: error },
        );
      });
    return { ...beside, leave: beside.end };
  }
  const wasRunning = sessionInfo(state) !== undefined;
  if (!wasRunning) {
    const [outcome] = await starts.start(id, asked);
    if (outcome && outcome.kind !== 'running') throw startError({ name }, outcome);
  }
  const server = servers.get(id);
  if (!server) throw new CancelledError();
  return {
    server,
    end: async () => {},
    leave: async () => {
      if (!wasRunning) await server.stop();
    },
  };
}

/** Returns the workspace server that a file of saved calls is for, if there is one. */
export function serverOf(
  uri: vscode.Uri,
  { server }: CallsFile,
  servers: Servers,
): Server | undefined {
  if (server.kind === 'own') return undefined;
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString();
  const named = servers.all.filter(({ name }) => name === server.name);
  return named.find(({ definition }) => definition.folder === folder) ?? named[0];
}

function findServer(uri: vscode.Uri, file: CallsFile, servers: Servers): Server {
  const { server } = file;
  if (server.kind === 'own')
    throw new UserError(
      vscode.l10n.t(
        'In the editor, "from" must name a server of the workspace. A launch of its own runs in a terminal, with mcp-workbench test.',
      ),
    );
  const found = serverOf(uri, file, servers);
  if (found) return found;
  throw new UserError(vscode.l10n.t('No server is called "{0}".', plainLabel(server.name)));
}

/** What the user agrees to beside the requests: the launch of the server, and the definitions of the tools that they call. */
export interface AgreedTo {
  readonly launch: string;
  readonly definitions: Readonly<Record<string, string>>;
}

/** Returns what the user agrees to with calls of these steps. */
export async function toAgreeTo(
  server: Server,
  steps: readonly Pick<CallStep, 'request'>[],
): Promise<AgreedTo> {
  const launch = await server.launchFingerprint();
  return { launch, definitions: await toolDefinitions(server, steps) };
}

/**
 * Calls a tool through the gate, which follows the user's rules and records the call, as long as it is what the user
 * agreed to, or one that the server did not have then; `title` is what such a one is called for users.
 */
export async function callThroughGate(
  gate: CallGate,
  file: string,
  {
    server,
    agreedTo: { launch, definitions },
    name,
    title,
    args,
    meta,
    asTask,
    signal,
    onSend,
  }: {
    readonly server: Server;
    readonly agreedTo: AgreedTo;
    readonly name: string;
    readonly title?: string;
    readonly args: Parameters<CallsSession['call']>[1];
  } & Parameters<CallsSession['call']>[2],
): Promise<CallToolResult> {
  const isSameTool = (await toolDefinition(server, name)) === (definitions[name] ?? '');
  // One that is gone from the list may still be called, and do anything else.
  if (!isSameTool || (await server.launchFingerprint()) !== launch)
    throw new UserError(
      vscode.l10n.t(
        '{0} has changed since you agreed to these calls, and was not called. Run them again.',
        plainLabel(name),
      ),
    );
  const unlisted = { name, ...(title !== undefined && { title }), inputSchema: {} };
  const tool = entryNamed(server.tools, name) ?? unlisted;
  const origin = { kind: 'savedCalls', file } as const;
  const options = { signal, onDecided: () => onSend?.() };
  const how = { ...(meta && { meta }), ...(asTask !== undefined && { asTask }) };
  const call = { server, tool, arguments: args, ...how, origin };
  const outcome = await gate.run(call, options);
  return resultOf(outcome.kind === 'background' ? await outcome.ended : outcome);
}

function resultOf(outcome: ToolOutcome): CallToolResult {
  switch (outcome.kind) {
    case 'result':
      return outcome.result;
    case 'failed':
      throw outcome.code === undefined
        ? new UserError(outcome.message)
        : new RpcError(outcome.code, outcome.message);
    case 'denied':
      throw new DeniedCallError(vscode.l10n.t('The call was denied by a setting.'));
    case 'withdrawn':
    case 'cancelled':
    case 'background':
      throw new CancelledError();
  }
}
