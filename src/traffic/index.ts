import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { asRecord, isRecord } from '../base/json';
import { sanitize } from '../base/text/fileName';
import { documentText, plainLabel } from '../base/text/text';
import type { FindRecentCall } from '../contracts/toolCalls';
import type { CallGate } from '../gate/toolGate';
import type { Server, Servers } from '../mcp/server';
import { agentTrafficId, type TrafficRecords } from '../mcp/traffic/trafficRecorder';
import { registerCommands, reportError } from '../ui/commands';
import { RecentFolders } from '../ui/documents/recentFolders';
import { Command } from '../ui/ids';
import { showText } from '../ui/keyboard';
import { noServers } from '../ui/rows/serverNames';
import { showPick } from '../ui/rows/picks';
import { curlCommand, type CommandShell } from './curlCommand';
import { entryDocument, exportTraffic, saveRecording } from './entryJson';
import { subjectOfEntry, titleOfEntry } from './entryTexts';
import type { Mask } from '../base/secrets';
import { type SendDeps, editAndSend, recordedCall, sendDraft, wholeDraft } from './sendAgain';
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
import { copyText } from '../ui/clipboard';
import type { WorkbenchWindow } from '../ui/window';

/** Registers the list in the sidebar of what servers were sent and what they sent back. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
    readonly records: TrafficRecords;
    readonly gate: CallGate;
    readonly showOutcome: SendDeps['showOutcome'];
    /** Finds calls by rows other than those of the traffic. */
    readonly findRecentCall: FindRecentCall;
  },
): Disposable & { readonly findRecentCall: FindRecentCall } {
  const { servers, records, logs } = deps;
  const store = new DisposableStore();
  const mask: Mask = (text) => logs.mask(text);
  const folders = store.add(new RecentFolders(deps.files, 'traffic'));
  const open = async (row: TrafficRow, action: UserAction) => {
    const { traffic } = row;
    const text = documentText(entryDocument(traffic, mask));
    const name = `${titleOfEntry(traffic, mask)} ${subjectOfEntry(traffic, mask)}`.trim();
    const uri = folders.document(idOfRow(row), `${sanitize(name)}.json`, text);
    await showText(uri, action, { preview: true, preserveFocus: true });
    return true;
  };
  const view = store.add(new TrafficView(servers, records, mask, open));
  const tellFailure = (error: unknown) => reportError(error, logs);
  const sendDeps: SendDeps = { ...deps, mask, open, tellFailure };
  const onRow =
    (run: (row: TrafficRow, action: UserAction) => unknown) =>
    async (action: UserAction, row: unknown) => {
      if (isTrafficRow(row)) await run(row, action);
    };
  store.add(
    servers.onDidChange(() => {
      records.keepOnly(new Set(servers.all.map(({ id }) => id)));
      view.follow();
    }),
  );
  store.add(
    registerCommands(logs, {
      [Command.showTraffic]: async (action: UserAction, target?: unknown) => {
        const title = vscode.l10n.t('Show Traffic');
        const peer = agentOfRow(target) ?? (await chooseServer(action, target, servers, title));
        if (peer) await view.show(peer, action);
      },
      [Command.filterTraffic]: (action: UserAction) => view.typeFilter(deps.askFilter, action),
      [Command.exportTraffic]: (action: UserAction) =>
        exportTraffic(action, view, mask, deps.writer),
      [Command.saveRecording]: (action: UserAction) => saveRecording(action, view, mask, deps),
      [Command.showTrafficEntry]: (action: UserAction, row?: unknown) =>
        row === undefined ? view.click(action) : onRow(open)(action, row),
      [Command.pinTraffic]: onRow((row) => view.setPinned(row, true)),
      [Command.unpinTraffic]: onRow((row) => view.setPinned(row, false)),
      [Command.replayRequest]: onRow(async (row, action) => {
        const server = serverOfRow(row);
        if (server) await sendDraft(server, wholeDraft(row.traffic), sendDeps, action);
      }),
      [Command.editRequest]: onRow(async (row, action) => {
        const server = serverOfRow(row);
        if (server) await editAndSend(server, wholeDraft(row.traffic), sendDeps, action);
      }),
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
