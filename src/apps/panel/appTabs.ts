import * as vscode from 'vscode';
import type { KeyboardPermit, UserAction } from '../../ui/questions/question';
import type { Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import type { Server } from '../../mcp/server';
import { AppWebview, Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import { type Permit, createPage } from '../../ui/keyboard';
import type { App } from '../page/app';
import type { Permission } from '../page/permissions';
import { AppTab, type ShownCall, type TabDeps, type TabState, maxOpenApps } from './appTab';
import { appUriOf } from '../../contracts/toolApps';

/** When apps open (`mcpWorkbench.apps.open`), and which tab shows a call (`mcpWorkbench.apps.tabs`). */
export type OpenMode = 'ask' | 'always' | 'never';
type TabMode = 'perTool' | 'perCall';

/** True if the app of a call opens unasked: for the user's own calls, or in mode `always` for all but those of apps. */
export function opensAtOnce({ origin, tool }: ToolCall, mode: OpenMode): boolean {
  if (origin.kind === 'app' || appUriOf(tool) === undefined) return false;
  return mode === 'always' || (mode === 'ask' && origin.kind === 'user');
}

/** Assigns each call the key of its tab. */
export class TabKeys {
  private readonly ofCalls = new WeakMap<ToolCall, string>();

  /** Returns the key of the tab that shows a call: one per tool and conversation, or one per call. */
  keyOf(call: ToolCall, mode: TabMode): string {
    const { server, tool, origin } = call;
    const conversation = origin.kind === 'chat' ? origin.conversation : origin.kind;
    if (mode === 'perTool') return JSON.stringify([server.id, tool.name, conversation]);
    const key = this.ofCalls.get(call) ?? crypto.randomUUID();
    this.ofCalls.set(call, key);
    return key;
  }
}

/** An app that may be shown: just read, and allowed by the user. */
export interface AllowedApp {
  readonly app: App;
  readonly granted: readonly Permission[];
  /** Lets it be shown with the keyboard; none where reading it took so long that the user turned away. */
  readonly permit: UserAction | undefined;
}

/** The app to open, and how. */
export interface AppTarget {
  readonly server: Server;
  readonly uri: string;
  /** The call that is shown, and how it ends. */
  readonly call?: ShownCall;
  readonly ended?: Promise<ToolOutcome>;
  /** Only one tab is open for each key. */
  readonly key: string;
  /** Present if the user just asked for it: it gets the focus, and questions are asked at once. */
  readonly asked?: UserAction | undefined;
}

/** All tabs that show apps, opened in one column, beside what the user works on. */
export class AppTabs implements Disposable {
  private readonly tabs = new Map<string, AppTab>();
  private readonly deps: TabDeps & {
    /** Reads an app and asks the user to allow it; `undefined` if they do not. */
    readonly read: (
      server: Server,
      uri: string,
      asked?: UserAction,
    ) => Promise<AllowedApp | undefined>;
  };

  constructor(deps: AppTabs['deps']) {
    this.deps = deps;
  }

  /** The active tab, if it is one of these. */
  get active(): AppTab | undefined {
    return [...this.tabs.values()].find(({ isActive }) => isActive);
  }

  /** The column that already shows apps, or else the one beside the active editor. */
  private get column(): vscode.ViewColumn {
    const columns = [...this.tabs.values()].map(({ column }) => column);
    return columns.find((column) => column !== undefined) ?? vscode.ViewColumn.Beside;
  }

  /** Shows an app in the tab with its key, or else in a new tab; throws a `UserError` if too many are open. */
  async open({ server, uri, call, ended, key, asked }: AppTarget): Promise<void> {
    this.assertRoom(key);
    const allowed = await this.read(server, uri, asked);
    if (!allowed) return;
    // Others may have come meanwhile.
    this.assertRoom(key);
    const known = this.tabs.get(key);
    const tab = known ?? this.add(key, createPanel(allowed.permit, this.column), server, uri);
    if (known && allowed.permit) known.reveal(allowed.permit);
    tab.setCall(call);
    await tab.show(allowed.app, allowed.granted, ended);
  }

  /** Shows again what a panel showed in an earlier window. */
  async restore(
    panel: vscode.WebviewPanel,
    server: Server,
    { uri, call, isCut }: TabState,
  ): Promise<void> {
    const tab = this.add(crypto.randomUUID(), panel, server, uri);
    tab.setCall(call, isCut);
    const { t } = vscode.l10n;
    if (isCut)
      return tab.stop(t('The call was too large to keep over a reload. Run the tool again.'));
    return this.load(tab);
  }

  /** Reads the app of a tab again and shows it for the same call, or says why it cannot be shown. */
  async load(tab: AppTab, asked?: UserAction): Promise<void> {
    const { t } = vscode.l10n;
    try {
      const allowed = await this.read(tab.server, tab.uri, asked);
      if (allowed) await tab.show(allowed.app, allowed.granted, undefined);
      else await tab.stop(t('The app was not opened.'));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      await tab.stop(error.message);
    }
  }

  /** Notes what was attached to a message of the user. */
  noteSent(attached: readonly string[], permit: KeyboardPermit): void {
    for (const tab of this.tabs.values()) tab.noteSent(attached, permit);
  }

  dispose(): void {
    for (const tab of this.tabs.values()) tab.dispose();
  }

  private assertRoom(key: string): void {
    if (!this.tabs.has(key) && this.tabs.size >= maxOpenApps)
      throw new UserError(
        vscode.l10n.t('{0} apps are open. Close one to open another.', String(maxOpenApps)),
      );
  }

  /** Reads what is to be shown, whoever wants it: a button or a tab may be from before the setting. */
  private async read(...wanted: Parameters<AppTabs['deps']['read']>) {
    if (readSetting(Setting.openApps) === 'never')
      throw new UserError(vscode.l10n.t('No app opens, because of {0}.', Setting.openApps));
    return this.deps.read(...wanted);
  }

  private add(key: string, panel: vscode.WebviewPanel, server: Server, uri: string): AppTab {
    const tab = new AppTab(panel, server, uri, this.deps);
    this.tabs.set(key, tab);
    panel.onDidDispose(() => this.tabs.delete(key));
    return tab;
  }
}

function createPanel(permit: Permit, viewColumn: vscode.ViewColumn): vscode.WebviewPanel {
  const { l10n } = vscode;
  try {
    return createPage(
      permit,
      { viewType: AppWebview, title: plainLabel(l10n.t('App')), viewColumn },
      // An app's state exists only in its page, so nothing else could restore it.
      {
        enableScripts: true,
        enableForms: true,
        localResourceRoots: [],
        retainContextWhenHidden: true,
      },
    );
  } catch (cause) {
    throw new UserError(
      l10n.t('This editor cannot show apps. Results of tools are shown as text.'),
      {
        cause,
      },
    );
  }
}
