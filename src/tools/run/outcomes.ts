import * as vscode from 'vscode';
import { openTextFile } from '../../ui/documents/readTextFile';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import {
  type RecentCall,
  type ToolCall,
  type ToolOutcome,
  readResourceTool,
} from '../../contracts/toolCalls';
import { recentCall } from '../../gate/recentCalls';
import { keepTab, showMarkdownPreview, wordWrapCommand } from '../../ui/editorCommands';
import { Command, resourceScheme } from '../../ui/ids';
import { decisionText, withdrawalText } from '../../ui/decisionText';
import { maxFolders, RecentFolders } from '../../ui/documents/recentFolders';
import { showText, shownIn, type Permit } from '../../ui/keyboard';
import { showMessage } from '../../ui/messages';
import { addFile, type MemoryFiles, type MemoryFolder } from '../../ui/documents/memoryFiles';
import { resultDocument } from './resultDocument';
import type { UserAction } from '../../ui/questions/question';
import type { ResourceUris } from '../../ui/resourceUri';

/** Where the rows and buttons of an outcome lead to. */
export interface OutcomeDeps {
  readonly resources: ResourceUris;
  readonly showLog: (serverId: string) => void;
  /** Makes a user's own call another time. */
  readonly runAgain: (action: UserAction, call: ToolCall) => Promise<void>;
}

/** A result that is shown, and its call as it was sent. */
interface Shown {
  readonly folder: MemoryFolder;
  readonly call: ToolCall;
  readonly saved: RecentCall;
  /** The document about the call. */
  readonly about: vscode.Uri;
  readonly made: string;
}

/** Shows how calls ended: results as documents, the rest as messages. */
export class Outcomes implements Disposable {
  private readonly deps: OutcomeDeps;
  private readonly store = new DisposableStore();
  private readonly kept: RecentFolders;
  /** The latest results, the last one at the end. */
  private readonly shown: Shown[] = [];

  constructor(files: MemoryFiles, deps: OutcomeDeps) {
    this.kept = this.store.add(new RecentFolders(files, 'result'));
    this.deps = deps;
    this.store.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: files.scheme },
        { provideCodeLenses: ({ uri }) => this.lenses(uri) },
      ),
    );
  }

  /** Shows how a call ended; without a permit if the user has turned to something else since. */
  async show(call: ToolCall, outcome: ToolOutcome, permit: Permit): Promise<void> {
    const name = plainLabel(displayName(call.tool));
    switch (outcome.kind) {
      case 'result':
        return this.showResult(call, outcome, permit);
      case 'failed':
        if (outcome.byUser) return;
        void this.showFailure(
          call,
          vscode.l10n.t('{0} failed: {1}', name, plainLabel(outcome.message(vscode.l10n.t), 500)),
        );
        return;
      case 'denied':
        void showMessage('info', vscode.l10n.t('{0} was not run: denied.', name));
        return;
      case 'withdrawn':
        void showMessage(
          'info',
          vscode.l10n.t('{0} was not run: {1}.', name, withdrawalText(outcome.because)),
        );
        return;
      case 'cancelled':
        void showMessage('info', vscode.l10n.t('{0} was cancelled.', name));
        return;
      case 'background':
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  /** Returns the call whose result a document shows, or is about, as it was sent. */
  callOf(target: unknown): ToolCall {
    const shown = this.find(target);
    if (!shown) throw new UserError(vscode.l10n.t('Open the result of a tool first.'));
    return shown.call;
  }

  /** Returns that call with what came back; `undefined` for anything else. */
  recentCallOf(target: unknown): RecentCall | undefined {
    return target instanceof vscode.Uri ? this.find(target)?.saved : undefined;
  }

  /** Shows the document about the call of a result. */
  async showCall(action: UserAction, target: unknown): Promise<void> {
    const shown = this.find(target);
    if (shown) await showText(shown.about, action, { preview: false });
  }

  private find(target: unknown): Shown | undefined {
    const uri =
      target instanceof vscode.Uri ? target : vscode.window.activeTextEditor?.document.uri;
    return uri && this.shown.find(({ folder }) => folder.contains(uri));
  }

  private lenses(uri: vscode.Uri): vscode.CodeLens[] {
    const shown = this.find(uri);
    // Reading a resource is no tool of the server.
    if (!shown || shown.call.tool.name === readResourceTool.name) return [];
    const { t } = vscode.l10n;
    const { server, tool } = shown.call;
    // A text says nowhere else whose result it is: its tab has the name of the tool alone.
    const whose = `${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
    const top = new vscode.Range(0, 0, 0, 0);
    const lens = (title: string, command: string, tooltip = '') =>
      new vscode.CodeLens(top, { title, command, tooltip, arguments: [uri] });
    return [
      lens(t('$(play) Run Again'), Command.runToolAgain),
      lens(t('Run Again With…'), Command.runToolAgainWith),
      lens(t('Save as Test…'), Command.saveAsTest),
      ...(uri.path === shown.about.path
        ? []
        : [lens(t('About {0}', whose), Command.showCallOfResult, shown.made)]),
      lens(t('Toggle Word Wrap'), wordWrapCommand),
    ];
  }

  private async showFailure(call: ToolCall, message: string): Promise<void> {
    const again = vscode.l10n.t('Run Again');
    const log = vscode.l10n.t('Show Log');
    // What a model wanted is its own to want again.
    const buttons = call.origin.kind === 'user' ? [again, log] : [log];
    const pressed = await showMessage('error', message, ...buttons);
    if (pressed?.button === log) this.deps.showLog(call.server.id);
    if (pressed?.button === again) await this.deps.runAgain(pressed.action, call);
  }

  private async showResult(
    call: ToolCall,
    outcome: ToolOutcome & { readonly kind: 'result' },
    permit: Permit,
  ): Promise<void> {
    const { result, problems } = outcome;
    const sent = { ...call, arguments: outcome.arguments };
    const made = madeText(outcome);
    const words = {
      t: vscode.l10n.t,
      error: vscode.l10n.t('The tool reported an error.'),
      structured: vscode.l10n.t('Structured content'),
      empty: vscode.l10n.t('The tool returned nothing.'),
      arguments: vscode.l10n.t('Arguments'),
      made,
      showCall: vscode.l10n.t('Run Again, Save as Test…'),
    };
    const document = resultDocument(sent, result, problems, words);
    const contents = document.files.map(({ content }) => content);
    const folder = this.kept.add([...contents, document.text, document.call.text]);
    for (const file of document.files) addFile(folder, file);
    for (const { name, uri } of document.links)
      folder.link(name, this.deps.resources.uriOf(call.server.id, uri));
    const about = folder.add(document.call.name, document.call.text);
    this.shown.push({ folder, call: sent, saved: recentCall(sent, outcome), about, made });
    if (this.shown.length > maxFolders) this.shown.shift();
    const uri = folder.add(document.name, document.text);
    await keepResource();
    if (document.isMarkdown) await showMarkdownPreview(uri, permit);
    else await showText(await wrapped(uri), permit, { preview: true });
  }
}

/** Keeps the tab of a resource that is in view: it follows its server, which the call may have changed. */
async function keepResource(): Promise<void> {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  if (activeTab?.isPreview && shownIn(activeTab)?.scheme === resourceScheme) await keepTab();
}

/** Opens a plain text in a language of its own, whose lines the editor wraps; other files have theirs. */
async function wrapped(uri: vscode.Uri): Promise<vscode.TextDocument> {
  const document = await openTextFile(uri);
  return document.languageId === 'plaintext'
    ? vscode.languages.setTextDocumentLanguage(document, 'mcp-result')
    : document;
}

/** Says by whom a call was allowed, and when it was sent; empty if that is not known. */
function madeText({ made }: ToolOutcome & { readonly kind: 'result' }): string {
  if (!made) return '';
  const when = new Date(made.at).toLocaleString(vscode.env.language);
  return `${decisionText(made.decision)} · ${when}`;
}
