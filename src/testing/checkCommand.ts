import * as vscode from 'vscode';
import { signalOf } from '../base/async';
import { isRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { checkServer } from '../calls/check/checkServer';
import { checkText } from '../calls/check/finding';
import type { CallGate } from '../gate/toolGate';
import type { StartServer } from '../contracts/startServer';
import type { JsonObject } from '../mcp/protocol/types';
import type { SchemaCheck } from '../mcp/schema/jsonSchema';
import type { Server, Servers } from '../mcp/server';
import { sessionInfo } from '../mcp/serverState';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { showText } from '../ui/keyboard';
import type { Questions } from '../ui/questions/questions';
import { callThroughGate, start } from './sessions';
import { showPick } from '../ui/rows/picks';
import type { UserAction } from '../ui/questions/question';

/** What checks of servers need. */
export interface CheckParts {
  readonly servers: Servers;
  readonly startServer: StartServer;
  readonly gate: CallGate;
  readonly schemas: SchemaCheck;
  readonly files: MemoryFiles;
  readonly questions: Pick<Questions, 'stillBy'>;
}

/** Makes the command that checks a server against the specification and shows the report. */
export function createCheckCommand(
  parts: CheckParts,
): (action: UserAction, target?: unknown) => Promise<void> {
  const folders = new RecentFolders(parts.files, 'report');
  return async (action, target) => {
    const server = await chooseServer(action, target, parts.servers);
    if (!server) return;
    const { t } = vscode.l10n;
    const title = t('Checking {0}…', plainLabel(server.name));
    const text = await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title, cancellable: true },
      (_progress, token) => check(server, parts, signalOf(token)),
    );
    const uri = folders
      .add([text])
      .add(`${t('Check of {0}', server.name).replaceAll('/', '∕')}.md`, text);
    // The check takes as long as its server: by then the user may be typing elsewhere.
    await showText(uri, parts.questions.stillBy(action, server.id), { preview: true });
  };
}

async function check(
  server: Server,
  { startServer, gate, schemas }: CheckParts,
  signal: AbortSignal,
): Promise<string> {
  const wasRunning = sessionInfo(server.state) !== undefined;
  // A fresh start shows how the server starts and what it writes as it does.
  await server.stop();
  await start(server, startServer);
  const session = {
    server,
    call: (name: string, args: JsonObject, stop: AbortSignal) =>
      callThroughGate(gate, 'check', { server, name, args, signal: stop }),
    end: () => server.stop(),
  };
  try {
    return checkText(server.name, await checkServer(session, { schemas, signal }));
  } finally {
    await (wasRunning ? startServer(server.id) : server.stop());
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
