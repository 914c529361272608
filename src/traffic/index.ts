import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { asRecord, isRecord } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { documentText, plainLabel } from '../base/text/text';
import type { FindRecentCall, OutcomeView } from '../contracts/toolCalls';
import type { CallGate } from '../gate/toolGate';
import type { Server, Servers } from '../mcp/server';
import { nextCursorOf, type TrafficEntry } from '../mcp/traffic/trafficEntry';
import { agentTrafficId, type TrafficRecords } from '../mcp/traffic/trafficRecorder';
import { registerCommands, reportError } from '../ui/commands';
import { RecentFolders, maxFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { Command } from '../ui/ids';
import { showText } from '../ui/keyboard';
import { noServers } from '../ui/rows/labels';
import { showPick } from '../ui/rows/picks';
import { curlCommand, type CommandShell } from './curlCommand';
import { entryDocument, exportTraffic, saveRecording } from './entryJson';
import { subjectOfEntry, titleOfEntry } from './entryTexts';
import type { Mask } from '../base/secretMask';
import {
  type SendDeps,
  editAndSend,
  nextPageDraft,
  recordedCall,
  sendDraft,
  wholeDraft,
} from './sendAgain';
import {
  idOfRow,
  isTrafficRow,
  serverOfRow,
  type TrafficPeer,
  type TrafficRow,
} from './trafficRow';
import { TrafficView } from './trafficView';
import type { UserAction } from '../ui/questions/question';
import { showMessage } from '../ui/messages';
import { copyJson, copyText } from '../ui/clipboard';
import type { WorkbenchWindow } from '../ui/window';

/** Registers the list in the sidebar of what servers were sent and what they sent back. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
    readonly records: TrafficRecords;
    readonly gate: CallGate;
    readonly outcomes: OutcomeView;
    /** Finds calls by rows other than those of the traffic. */
    readonly findRecentCall: FindRecentCall;
  },
): Disposable & { readonly findRecentCall: FindRecentCall } {
  const { servers, records, logs } = deps;
  const store = new DisposableStore();
  const mask: Mask = (text) => logs.mask(text);
  const folders = store.add(new RecentFolders(deps.files, 'traffic'));
  const pages = store.add(new PageLenses(deps.files));
  const open = async (row: TrafficRow, action: UserAction) => {
    const { traffic } = row;
    const text = documentText(entryDocument(traffic, mask));
    const name = `${titleOfEntry(traffic, mask)} ${subjectOfEntry(traffic, mask)}`.trim();
    const uri = folders.document(idOfRow(row), `${sanitize(name)}.json`, text);
    pages.note(uri, row);
    await showText(uri, action, { preview: true, preserveFocus: true });
    return true;
  };
  const copy = onRow(({ traffic }) => copyJson(entryDocument(traffic, mask)));
  const view = store.add(new TrafficView(servers, records, mask, open));
  const tellFailure = (error: unknown) => reportError(error, logs);
  const sendDeps: SendDeps = { ...deps, mask, open, tellFailure };
  store.add(
    servers.onDidChange(() => {
      records.keepOnly(new Set(servers.all.map(({ id }) => id)));
      view.follow();
    }),
  );
  store.add(
    registerCommands(logs, {
      [Command.showTraffic]: async (action: UserAction, target?: unknown, filter?: unknown) => {
        const title = vscode.l10n.t('Show Traffic');
        const peer = agentOfRow(target) ?? (await chooseServer(action, target, servers, title));
        if (!peer) return;
        // From the menu of a row, the rows that are selected come second.
        if (typeof filter === 'string') view.setFilter(filter);
        await view.show(peer, action);
      },
      [Command.filterTraffic]: (action: UserAction) => view.typeFilter(deps.askFilter, action),
      [Command.exportTraffic]: (action: UserAction) =>
        exportTraffic(action, view, mask, deps.writer),
      [Command.saveRecording]: (action: UserAction) =>
        saveRecording(action, { server: view.server, entries: view.recordable }, mask, deps),
      [Command.clearTraffic]: () => view.clear(),
      [Command.showTrafficEntry]: (action: UserAction, row?: unknown) =>
        row === undefined ? view.click(action) : onRow(open)(action, row),
      [Command.copyTrafficEntry]: (action: UserAction, row: unknown = view.selected) =>
        copy(action, row),
      [Command.pinTraffic]: onRow((row) => view.setPinned(row, true)),
      [Command.unpinTraffic]: onRow((row) => view.setPinned(row, false)),
      [Command.replayRequest]: onSent((server, entry, action) =>
        sendDraft(server, wholeDraft(entry), sendDeps, action),
      ),
      [Command.nextPage]: onSent((server, entry, action) =>
        sendDraft(server, nextPageDraft(entry), sendDeps, action),
      ),
      [Command.editRequest]: onSent((server, entry, action) =>
        editAndSend(server, wholeDraft(entry), sendDeps, action),
      ),
      [Command.sendRequest]: async (action: UserAction, target?: unknown) => {
        const title = vscode.l10n.t('Send Request');
        const server = view.serverInView ?? (await chooseServer(action, target, servers, title));
        if (server) await editAndSend(server, { method: 'ping', params: {} }, sendDeps, action);
      },
      [Command.copyAsCurl]: onRow((row) => copyAsCurl(row, 'posix', mask)),
      [Command.copyAsPowerShell]: onRow((row) => copyAsCurl(row, 'powerShell', mask)),
    }),
  );
  return {
    findRecentCall: (target) =>
      isTrafficRow(target) ? recordedCall(target, mask) : deps.findRecentCall(target),
    dispose: () => store.dispose(),
  };
}

type OnRow = (action: UserAction, row: unknown) => Promise<void>;

/** Makes a command for a row. */
function onRow(run: (row: TrafficRow, action: UserAction) => unknown): OnRow {
  return async (action, row) => {
    if (isTrafficRow(row)) await run(row, action);
  };
}

/** Makes a command for a row whose message was for a server. */
function onSent(run: (server: Server, sent: TrafficEntry, action: UserAction) => unknown): OnRow {
  return onRow(async (row, action) => {
    const server = serverOfRow(row);
    if (server) await run(server, row.traffic, action);
  });
}

/** The line above the document of a list of which the server has more: it leads to the next page. */
class PageLenses implements Disposable {
  private readonly rows = new Map<string, TrafficRow>();
  private readonly registered: Disposable;

  constructor({ scheme }: MemoryFiles) {
    const provideCodeLenses = ({ uri }: vscode.TextDocument) => this.lenses(uri);
    this.registered = vscode.languages.registerCodeLensProvider({ scheme }, { provideCodeLenses });
  }

  /** Keeps the row that a document shows, among the latest. */
  note(uri: vscode.Uri, row: TrafficRow): void {
    const { rows } = this;
    rows.delete(uri.toString());
    rows.set(uri.toString(), row);
    for (const oldest of [...rows.keys()].slice(0, -maxFolders)) rows.delete(oldest);
  }

  dispose(): void {
    this.registered.dispose();
  }

  private lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const row = this.rows.get(uri.toString());
    if (!row || !serverOfRow(row) || nextCursorOf(row.traffic) === undefined) return [];
    const title = vscode.l10n.t('$(arrow-right) Next Page');
    const command = { title, command: Command.nextPage, arguments: [row] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }
}

/** Returns the agent of whose row, or of a row below it, a command was run. */
function agentOfRow(target: unknown): TrafficPeer | undefined {
  const agent = asRecord(asRecord(target)['agent']);
  const { id, label } = agent;
  if (typeof id !== 'string' || typeof label !== 'string') return undefined;
  return { id: agentTrafficId(id), name: label, isAgent: true };
}

async function chooseServer(
  action: UserAction,
  target: unknown,
  servers: Servers,
  title: string,
): Promise<Server | undefined> {
  await servers.ready;
  if (typeof target === 'string') return servers.get(target);
  // The selected row may belong to a server that has been removed since.
  const named =
    isRecord(target) && 'server' in target && servers.get((target['server'] as Server).id);
  if (named) return named;
  if (servers.all.length === 0) throw noServers(servers.unused);
  const items = servers.all.map((server) => ({ label: plainLabel(server.name), server }));
  return (await showPick(action, items, { title }))?.server;
}

async function copyAsCurl(row: TrafficRow, shell: CommandShell, mask: Mask): Promise<void> {
  const { t } = vscode.l10n;
  const { traffic: entry } = row;
  const server = serverOfRow(row);
  if (!server) return;
  if (entry.isCut) throw new UserError(t('The message was too large to keep whole.'));
  await copyText(curlCommand(server, entry.value, mask, shell));
  void showMessage(
    'info',
    t('Copied as cURL. Replace what is in angle brackets before you run it.'),
  );
}
