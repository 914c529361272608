import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { showMarkdownPreview } from '../../ui/editorCommands';
import { withdrawalText } from '../../ui/decisionText';
import { RecentFolders } from '../../ui/documents/recentFolders';
import { showText, type Leave } from '../../ui/keyboard';
import { offer } from '../../ui/messages';
import type { MemoryFiles } from '../../ui/documents/memoryFiles';
import { resultDocument } from './resultDocument';
import type { UserAction } from '../../ui/questions/question';

/** Where the rows and buttons of an outcome lead to. */
export interface OutcomeParts {
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  readonly showLog: (serverId: string) => void;
  /** Makes a user's own call another time. */
  readonly runAgain: (action: UserAction, call: ToolCall) => Promise<void>;
}

/** Shows how calls ended: results as documents, the rest as messages. */
export class Outcomes implements Disposable {
  private readonly parts: OutcomeParts;
  private readonly kept: RecentFolders;

  constructor(files: MemoryFiles, parts: OutcomeParts) {
    this.kept = new RecentFolders(files, 'result');
    this.parts = parts;
  }

  /** Shows how a call ended; without leave if the user has turned to something else since. */
  async show(call: ToolCall, outcome: ToolOutcome, leave: Leave): Promise<void> {
    const name = plainLabel(displayName(call.tool));
    switch (outcome.kind) {
      case 'result':
        return this.showResult(call, outcome, leave);
      case 'failed':
        void this.showFailure(
          call,
          vscode.l10n.t('{0} failed: {1}', name, plainLabel(outcome.message(vscode.l10n.t), 500)),
        );
        return;
      case 'denied':
        void vscode.window.showInformationMessage(vscode.l10n.t('{0} was not run: denied.', name));
        return;
      case 'withdrawn':
        void vscode.window.showInformationMessage(
          vscode.l10n.t('{0} was not run: {1}.', name, withdrawalText(outcome.because)),
        );
        return;
      case 'cancelled':
        void vscode.window.showInformationMessage(vscode.l10n.t('{0} was cancelled.', name));
        return;
      case 'background':
    }
  }

  dispose(): void {
    this.kept.dispose();
  }

  private async showFailure(call: ToolCall, message: string): Promise<void> {
    const again = vscode.l10n.t('Run Again');
    const log = vscode.l10n.t('Show Log');
    // What a model wanted is its own to want again.
    const buttons = call.origin.kind === 'user' ? [again, log] : [log];
    const pressed = await offer('error', message, ...buttons);
    if (pressed?.button === log) this.parts.showLog(call.server.id);
    if (pressed?.button === again) await this.parts.runAgain(pressed.action, call);
  }

  private async showResult(
    call: ToolCall,
    { result, problems }: ToolOutcome & { readonly kind: 'result' },
    leave: Leave,
  ): Promise<void> {
    const words = {
      t: vscode.l10n.t,
      error: vscode.l10n.t('The tool reported an error.'),
      structured: vscode.l10n.t('Structured content'),
      empty: vscode.l10n.t('The tool returned nothing.'),
    };
    const document = resultDocument(call, result, problems, words);
    const contents = document.files.map(({ content }) => content);
    const folder = this.kept.add([...contents, document.text]);
    for (const { name, content } of document.files) folder.add(name, content);
    for (const { name, uri } of document.links)
      folder.link(name, this.parts.resourceUri(call.server.id, uri));
    const uri = folder.add(document.name, document.text);
    if (document.isMarkdown) await showMarkdownPreview(uri, leave);
    else await showText(uri, leave, { preview: true });
  }
}
