import * as vscode from 'vscode';
import type { UserAction } from '../ui/questions/question';
import { once } from '../base/event';
import { DisposableStore, type Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { type Apps, appMimeType, appUriOf } from '../contracts/toolApps';
import type { ToolGate } from '../gate/toolGate';
import type { ToolCall, ToolOutcome } from '../contracts/toolCalls';
import type { ServerRequestHandlers } from '../mcp/protocol/serverRequests';
import type { Server, Servers } from '../mcp/server';
import type { TrafficRecords } from '../mcp/traffic/trafficRecorder';
import { registerCommands, reportError, runCommand } from '../ui/commands';
import { RecentFolders } from '../ui/documents/recentFolders';
import { openWebviewTools } from '../ui/editorCommands';
import { AppWebview, Command, Setting } from '../ui/ids';
import { showText } from '../ui/keyboard';
import { readSetting } from '../ui/settings/readSetting';
import { AllowedSources, AppConsents } from './consent/appConsents';
import { askApp } from './consent/askApp';
import { askDraft } from './consent/askDraft';
import { type App, readApp, sourceText } from './page/app';
import type { Permission } from './page/permissions';
import type { AppRequests } from './panel/appHandlers';
import { type AllowedApp, AppTabs, TabKeys, opensAtOnce } from './panel/appTabs';
import { noticePage, readState } from './panel/appTab';
import { showMessage } from '../ui/messages';
import type { WorkbenchWindow } from '../ui/window';

const restoreMs = 20_000;

/** The filter for what apps say and are told, in the traffic of their server. */
const appTraffic = '@app';

/** The apps of servers: interactive views that come with tools, each in a tab and subject to the same gate. */
export interface AppsFeature extends Apps, Disposable {
  /** Returns the MIME types of apps to announce to servers; empty if the user wants no apps. */
  readonly appTypes: () => readonly string[];
}

interface AppsDeps extends WorkbenchWindow {
  readonly servers: Servers;
  readonly gate: Pick<ToolGate, 'run' | 'onDidSend'>;
  readonly records: TrafficRecords;
  /** Puts a server's question to the user. */
  readonly elicit: NonNullable<ServerRequestHandlers['elicit']>;
}

/** Registers tabs, commands and questions of apps. */
export function register(deps: AppsDeps): AppsFeature {
  const { context, logs, files, questions } = deps;
  const store = new DisposableStore();
  const consents = new AppConsents(context.globalState);
  const reader = new AppReader(consents, deps);
  const version = String((context.extension.packageJSON as { readonly version: unknown }).version);
  const tabs = store.add(
    new AppTabs({
      requests: requestsOf(deps),
      files,
      questions,
      log: logs.extension,
      records: deps.records,
      version,
      mask: (text) => logs.mask(text),
      read: (server, uri, asked) => reader.read(server, uri, asked),
    }),
  );
  const keys = new TabKeys();
  const openCall = async (call: ToolCall, ended: Promise<ToolOutcome>, asked?: UserAction) => {
    const { server, tool, arguments: args } = call;
    const uri = appUriOf(tool);
    if (uri === undefined)
      throw new UserError(vscode.l10n.t('The tool {0} has no app.', tool.name));
    const key = keys.keyOf(call, readSetting(Setting.appTabs));
    await tabs.open({ server, uri, call: { tool: tool.name, arguments: args }, ended, key, asked });
  };
  store.add(
    deps.gate.onDidSend(({ call, ended }) => {
      const { origin, server } = call;
      const { without = [] } = server.definition;
      const isShown = !without.includes('apps') && !without.includes('extensions');
      if (!isShown || !opensAtOnce(call, readSetting(Setting.openApps))) return;
      openCall(call, ended, origin.kind === 'user' ? origin.action : undefined).catch(
        (error: unknown) => reportError(error, logs),
      );
    }),
  );
  store.add(registerAppCommands(deps, tabs, consents));
  store.add(
    vscode.window.registerWebviewPanelSerializer(AppWebview, {
      deserializeWebviewPanel: (panel, state: unknown) => restoreTab(panel, state, tabs, deps),
    }),
  );
  return {
    appTypes: () => (readSetting(Setting.openApps) === 'never' ? [] : [appMimeType]),
    open: openCall,
    openUri: async (server, uri, asked) => {
      if (readSetting(Setting.openApps) === 'never') return false;
      await tabs.open({ server, uri, key: JSON.stringify([server.id, uri]), asked });
      return true;
    },
    noteSent: (attached, permit) => tabs.noteSent(attached, permit),
    dispose: () => store.dispose(),
  };
}

/** Reads apps, asks the user to allow each version of them, and remembers what was allowed. */
class AppReader {
  private readonly consents: AppConsents;
  private readonly deps: AppsDeps;
  private readonly sources: AllowedSources;

  constructor(consents: AppConsents, deps: AppsDeps) {
    this.consents = consents;
    this.deps = deps;
    this.sources = new AllowedSources(deps.context.globalStorageUri, deps.platform.files);
  }

  /** Reads an app; `undefined` if the user does not allow it. */
  async read(
    server: Server,
    uri: string,
    asked: UserAction | undefined,
  ): Promise<AllowedApp | undefined> {
    const app = await readApp(server, uri, vscode.l10n.t);
    const known = await this.consents.find(server, app);
    // A server may be slow to send it.
    const still = asked && this.deps.questions.stillBy(asked, server.id);
    if (known.kind === 'allowed') return { app, granted: known.granted, permit: still };
    const before =
      known.kind === 'changed' ? { html: await this.sources.read(known.fingerprint) } : undefined;
    const question = {
      server,
      app,
      asked: still,
      ...(before && { before }),
      granted: async () => {
        const now = await this.consents.find(server, app);
        return now.kind === 'allowed' ? now.granted : undefined;
      },
      remember: (granted: readonly Permission[]) => this.remember(server, app, granted),
    };
    const outcome = await askApp(question, this.deps);
    if (outcome.kind !== 'answered' || outcome.answer.kind !== 'open') return undefined;
    const { granted, by } = outcome.answer;
    return { app, granted, permit: asked && (by ?? still) };
  }

  private async remember(server: Server, app: App, granted: readonly Permission[]): Promise<void> {
    const { consents, sources } = this;
    await consents.remember(server, app, granted);
    await sources.keep(app, new Set(consents.all.map(({ fingerprint }) => fingerprint)));
  }
}

/** Returns what apps may ask for. */
function requestsOf({ gate, elicit, questions, input }: AppsDeps): AppRequests {
  return {
    gate,
    visit: async (server, url, signal) => {
      const message = vscode.l10n.t('An app of "{0}" wants to open this page.', server.name);
      // With an id, the user does not have to say when the visit is over.
      const question = { mode: 'url', message, url, elicitationId: crypto.randomUUID() } as const;
      return (await elicit(server, question, signal)).action === 'accept';
    },
    draft: (server, text, signal) => askDraft(server, text, { questions, input }, signal),
  };
}

function registerAppCommands(
  { logs, files }: AppsDeps,
  tabs: AppTabs,
  consents: AppConsents,
): Disposable {
  const store = new DisposableStore();
  const shown = store.add(new RecentFolders(files, 'app'));
  const showSource = async (action: UserAction) => {
    const { t } = vscode.l10n;
    const tab = tabs.active;
    if (!tab) return;
    // What the server sends now need not be what runs.
    if (tab.source === undefined)
      throw new UserError(
        t('No app has run in this tab. Reload it to see its source before it does.'),
      );
    const text = sourceText(tab.source, t);
    await showText(shown.add([text]).add('app.html', text), action);
  };
  store.add(
    registerCommands(logs, {
      [Command.reloadApp]: (action: UserAction) => tabs.active && tabs.load(tabs.active, action),
      [Command.stopApp]: () =>
        tabs.active?.stop(vscode.l10n.t('The app is stopped. Reload it to start it again.')),
      [Command.showAppTraffic]: async (action: UserAction) => {
        const id = tabs.active?.server.id;
        if (id !== undefined) await runCommand(action, Command.showTraffic, id, appTraffic);
      },
      [Command.showAppSource]: showSource,
      [Command.openAppTools]: (action: UserAction) => openWebviewTools(action),
      [Command.forgetApps]: async () => {
        await consents.forgetAll();
        void showMessage('info', vscode.l10n.t('You will be asked again before an app is opened.'));
      },
    }),
  );
  return store;
}

/** Shows in a panel what it showed in an earlier window. */
async function restoreTab(
  panel: vscode.WebviewPanel,
  value: unknown,
  tabs: AppTabs,
  { servers, logs }: AppsDeps,
): Promise<void> {
  const state = readState(value);
  const server = state && (await findServer(servers, state.serverId));
  try {
    if (server) await tabs.restore(panel, server, state);
    else
      panel.webview.html = noticePage(
        vscode.l10n.t('The server of this app is not configured here.'),
      );
  } catch (error) {
    reportError(error, logs);
  }
}

/** Finds a server, waiting for it if necessary: it may be configured only a moment after the window opens. */
async function findServer(servers: Servers, id: string): Promise<Server | undefined> {
  if (!servers.get(id))
    await once(
      servers.onDidChange,
      () => servers.get(id) !== undefined,
      AbortSignal.timeout(restoreMs),
    ).catch(() => {});
  return servers.get(id);
}
