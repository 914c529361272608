import * as vscode from 'vscode';
import { signalOf } from '../base/async';
import { isRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { checkServer } from '../calls/check/checkServer';
import { checkText } from '../calls/check/finding';
import type { CallsSession } from '../calls/session';
import type { CallGate } from '../gate/toolGate';
import type { StartBeside } from '../contracts/startServer';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Server, Servers } from '../mcp/server';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { showText } from '../ui/keyboard';
import type { Questions } from '../ui/questions/questions';
import { callThroughGate } from './sessions';
import { showPick } from '../ui/rows/picks';
import type { UserAction } from '../ui/questions/question';
import { withProgress } from '../ui/messages';

/** What checks of servers need. */
export interface CheckDeps {
  readonly servers: Servers;
  readonly startBeside: StartBeside;
  readonly gate: CallGate;
  readonly schemas: SchemaCheck;
  readonly files: MemoryFiles;
  readonly questions: Pick<Questions, 'stillBy'>;
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
      (_progress, token) => check(server, deps, signalOf(token)),
    );
    const uri = folders
      .add([text])
      .add(`${t('Check of {0}', server.name).replaceAll('/', '∕')}.md`, text);
    // The check takes as long as its server: by then the user may be typing elsewhere.
    await showText(uri, deps.questions.stillBy(action, server.id), { preview: true });
  };
}

async function check(
  { id, name }: Server,
  { startBeside, gate, schemas }: CheckDeps,
  signal: AbortSignal,
): Promise<string> {
  // A process of its own shows how the server starts and ends, and leaves what the one in use is doing.
  const beside = await startBeside(id, { byHand: true, signal });
  const session: CallsSession = {
    ...beside,
    call: (tool, args, options) =>
      callThroughGate(gate, 'check', { server: beside.server, name: tool, args, ...options }),
  };
  try {
    return checkText(name, await checkServer(session, { schemas, signal }));
  } finally {
    await beside.end();
  }
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
