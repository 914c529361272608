import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { isRecord } from '../../base/json';
import type { Logger } from '../../base/log';
import { plainLabel } from '../../base/text/text';
import { asideText } from '../../base/translate';
import type { ToolOutcome } from '../../contracts/toolCalls';
import {
  type CallToolResult,
  type JsonObject,
  displayName,
  entryNamed,
} from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { TrafficRecords } from '../../mcp/traffic/trafficRecorder';
import { attachToChat } from '../../ui/editorChat';
import { passKey } from '../../ui/editorCommands';
import type { MemoryFiles } from '../../ui/documents/memoryFiles';
import type { Questions } from '../../ui/questions/questions';
import { revealPage, tabsOf } from '../../ui/keyboard';
import { type KeyboardPermit, type UserAction, byUser } from '../../ui/questions/question';
import type { App } from '../page/app';
import type { Permission } from '../page/permissions';
import type { AppBridge } from '../view/appBridge';
import type * as AppView from '../view/appView';
import { type AppDocument, type FrameFacts, keepState } from '../view/frameMessages';
import { type AppRequests, createAppHandlers, endingText, surroundings } from './appHandlers';
import { ContextDocument } from './contextDocument';
import { escapeMarkup } from '../../base/text/markdown';
import { measureJson } from '../../base/measureJson';
import type { Mask } from '../../base/secretMask';
import { maxJsonDepth } from '../../base/text/jsonText';
import { maskedMessage } from '../../calls/recording/recording';

/** The call that an app shows, as far as it is known. */
export interface ShownCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly result?: CallToolResult;
}

/** The state of an app's tab that the editor keeps for the next window. */
export interface TabState {
  readonly serverId: string;
  readonly uri: string;
  readonly call?: ShownCall;
  /** True if the call was too large to keep. */
  readonly isCut?: boolean;
}

/** At most this many apps are open at a time. */
export const maxOpenApps = 20;

/** The largest call that is kept with a tab, in bytes of JSON. */
export const maxStateBytes = 2_000_000;

/**
 * Returns the state to keep, without the call if that is too large or too deep. As it lies in a file of the editor, secrets
 * in the call are masked, as in a recording: the app gets it so after a reload.
 */
export function keptState({ call, ...rest }: TabState, mask: Mask): TabState {
  if (!call) return rest;
  const { bytes, depth } = measureJson(call);
  if (bytes > maxStateBytes || depth > maxJsonDepth) return { ...rest, isCut: true };
  const masked = maskedMessage(call, mask);
  return isCall(masked) ? { ...rest, call: masked } : { ...rest, isCut: true };
}

/** Reads what an earlier window kept; `undefined` if it is not the state of a tab. */
export function readState(value: unknown): TabState | undefined {
  if (!isRecord(value)) return undefined;
  const { serverId, uri, call, isCut } = value;
  if (typeof serverId !== 'string' || typeof uri !== 'string') return undefined;
  return {
    serverId,
    uri,
    ...(isCall(call) && { call }),
    ...(isCut === true && { isCut }),
  };
}

function isCall(value: unknown): value is ShownCall {
  return isRecord(value) && typeof value['tool'] === 'string' && isRecord(value['arguments']);
}

/** Returns a page without scripts that shows a text in place of an app. */
export function noticePage(text: string): string {
  const language = escapeMarkup(vscode.env.language);
  return `<!DOCTYPE html><html lang="${language}"><head><meta http-equiv="Content-Security-Policy" content="default-src 'none'"></head><body><p role="status">${escapeMarkup(text)}</p></body></html>`;
}

/** What a tab needs from the rest of the extension. */
export interface TabDeps {
  readonly requests: AppRequests;
  readonly files: MemoryFiles;
  readonly questions: Pick<Questions, 'permitNow' | 'untilPermitted'>;
  readonly log: Logger;
  readonly records: Pick<TrafficRecords, 'of'>;
  readonly version: string;
  /** Removes known secrets from what is kept. */
  readonly mask: Mask;
}

/** An editor tab with one app, or with a notice in its place. */
export class AppTab implements Disposable {
  readonly server: Server;
  readonly uri: string;
  private readonly panel: vscode.WebviewPanel;
  private readonly deps: TabDeps;
  private readonly shown = new DisposableStore();
  private readonly context: ContextDocument;
  private bridge: AppBridge | undefined;
  private html: string | undefined;
  private call: ShownCall | undefined;
  private isCut = false;
  private isClosed = false;
  /** Changes with everything that is shown, so that work that was begun for something else is discarded. */
  private turn = 0;

  constructor(panel: vscode.WebviewPanel, server: Server, uri: string, deps: TabDeps) {
    this.panel = panel;
    panel.iconPath = new vscode.ThemeIcon('window');
    this.server = server;
    this.uri = uri;
    this.deps = deps;
    this.context = new ContextDocument({
      files: deps.files,
      questions: deps.questions,
      log: deps.log,
      attach: (document, permit) => attachToChat([document], permit),
      mayAttach: (document) =>
        panel.active && tabsOf((shown) => String(shown) === String(document)).length === 0,
    });
    panel.onDidDispose(() => this.dispose());
  }

  get isActive(): boolean {
    return this.panel.active;
  }

  /** The HTML of the app that runs here or ran last; `undefined` if none did. */
  get source(): string | undefined {
    return this.html;
  }

  /** The column that shows it now; `undefined` if it is hidden. */
  get column(): vscode.ViewColumn | undefined {
    return this.panel.visible ? this.panel.viewColumn : undefined;
  }

  /** Sets the tab's call and title, before an app is shown for it. */
  setCall(call: ShownCall | undefined, isCut = false): void {
    this.call = call;
    this.isCut = isCut;
    const tool = entryNamed(this.server.tools, call?.tool);
    const title = tool ? displayName(tool) : (call?.tool ?? this.uri);
    this.panel.title = plainLabel(asideText(title, this.server.name, vscode.l10n.t), 60);
  }

  reveal(action: UserAction): void {
    revealPage(this.panel, action);
  }

  /** Notes what was attached to a message of the user. */
  noteSent(attached: readonly string[], permit: KeyboardPermit): void {
    const { log } = this.deps;
    this.context
      .noteSent(attached, permit)
      .catch((error: unknown) => log.warn(errorMessage(error)));
  }

  /** Shows an app in place of what was there, and tells it about the call and how that `ended`. */
  async show(
    app: App,
    granted: readonly Permission[],
    ended: Promise<ToolOutcome> | undefined,
  ): Promise<void> {
    const ending = this.end('The app is shown anew.');
    const { turn } = this;
    const view = await import('../view/appView');
    if (!(await ending) || turn !== this.turn) return;
    this.context.forget();
    this.run(view, app, granted);
    const bridge = this.bridge;
    const { call } = this;
    if (!call) return;
    bridge?.toolInput(call.arguments);
    if (call.result) bridge?.toolResult(call.result);
    else if (ended) await this.follow(bridge, call, ended);
    else bridge?.toolCancelled('The result of the call is no longer known.');
  }

  /** Ends the app and shows a notice in its place. */
  async stop(text: string): Promise<void> {
    if (await this.end('The app was stopped.')) this.notice(text);
  }

  dispose(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.turn += 1;
    this.bridge?.dispose();
    this.shown.dispose();
    this.context.dispose();
    this.panel.dispose();
  }

  /** Ends the app that is shown; false if something else is to be shown by then. */
  private async end(reason: string): Promise<boolean> {
    this.turn += 1;
    const { turn } = this;
    await this.bridge?.teardown(reason);
    if (turn !== this.turn) return false;
    this.bridge = undefined;
    this.shown.clear();
    return true;
  }

  private async follow(
    bridge: AppBridge | undefined,
    call: ShownCall,
    ended: Promise<ToolOutcome>,
  ): Promise<void> {
    const outcome = await ended;
    if (outcome.kind === 'background') return this.follow(bridge, call, outcome.ended);
    if (outcome.kind === 'result') {
      bridge?.toolResult(outcome.result);
      // The next call may have started meanwhile.
      if (this.call !== call) return;
      this.call = { ...call, arguments: outcome.arguments, result: outcome.result };
      this.keep();
    } else bridge?.toolCancelled(endingText(outcome));
  }

  private run(view: typeof AppView, app: App, granted: readonly Permission[]): void {
    const { server, deps, panel } = this;
    this.html = app.html;
    const policy = view.contentPolicy(app.origins);
    deps.log.info(`${server.name}: the app ${app.uri} is shown with the policy ${policy}`);
    const handlers = this.shown.add(createAppHandlers(server, app, deps.requests, deps.log));
    let facts: FrameFacts | undefined;
    const tool = entryNamed(server.tools, this.call?.tool);
    const around = { ...surroundings(deps.version), tool };
    const post = (method: string, params: object) =>
      void panel.webview.postMessage({ jsonrpc: '2.0', method, params });
    const bridge = new view.AppBridge({
      handlers: {
        ...handlers,
        updateContext: (text) => this.context.update(server, app.uri, text),
        setDisplayMode: (mode) => {
          post(view.frame.setMode, { mode });
          if (facts) bridge.contextChanged(view.changingContext(facts, mode));
        },
        requestTeardown: () =>
          void this.end('The app asked for it.').then((isOver) => {
            if (isOver) panel.dispose();
          }),
      },
      send: (message) => void panel.webview.postMessage(message),
      traffic: deps.records.of(server.id).besideApp(),
      hostInfo: { name: 'MCP Workbench', version: deps.version },
      capabilities: view.hostCapabilities(app.origins, granted),
      context: () => (facts ? view.hostContext(around, facts, bridge.displayMode) : {}),
      now: Date.now,
    });
    this.bridge = bridge;
    const show = () =>
      post(view.frame.resourceReady, {
        html: view.appDocument(app.html, policy),
        sandbox: view.sandbox,
        allow: view.allowAttribute(granted),
        title: vscode.l10n.t('App of {0}', plainLabel(server.name, 60)),
        state: this.state,
      } satisfies AppDocument);
    this.shown.add(
      panel.webview.onDidReceiveMessage((message: unknown) => {
        const { method, params } = isRecord(message) ? message : {};
        switch (method) {
          case view.frame.proxyReady:
            // The editor loads the page anew when the tab moves to another window.
            bridge.restart();
            facts = params as FrameFacts;
            show();
            break;
          case view.frame.frameChanged:
            facts = params as FrameFacts;
            bridge.contextChanged(view.changingContext(facts, bridge.displayMode));
            break;
          case view.frame.appEnded:
            bridge.dispose();
            this.notice(endText((params as { readonly why: string }).why));
            break;
          case view.frame.messageDropped:
            deps.log.warn(`${server.name}: a message of the app ${app.uri} was too long.`);
            break;
          case view.frame.keyPressed:
            void passKey((params as { readonly key: string }).key, byUser());
            break;
          default:
            bridge.receive(message);
        }
      }),
    );
    panel.webview.options = { enableScripts: true, enableForms: true, localResourceRoots: [] };
    panel.webview.html = view.shellPage(policy, {
      owner: vscode.l10n.t('App of {0}', plainLabel(server.name, 60)),
      uri: plainLabel(app.uri),
      hint: vscode.l10n.t('Tab enters the app, Escape leaves it'),
      language: vscode.env.language,
    });
  }

  private get state() {
    const { server, uri, call, isCut, deps } = this;
    const state = { serverId: server.id, uri, ...(call && { call }), ...(isCut && { isCut }) };
    return keptState(state, deps.mask);
  }

  private keep(): void {
    void this.panel.webview.postMessage({
      jsonrpc: '2.0',
      method: keepState,
      params: { state: this.state },
    });
  }

  /** Shows a page of our own, without scripts. */
  private notice(text: string): void {
    if (this.isClosed) return;
    this.context.forget();
    this.panel.webview.html = noticePage(text);
  }
}

function endText(why: string): string {
  const { t } = vscode.l10n;
  return why === 'flood'
    ? t('The app was stopped: it sent too many messages.')
    : t('The app was stopped: it tried to leave its tab.');
}
