import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { showMarkdownPreview } from '../../ui/editorCommands';
import type { MemoryFiles, MemoryFolder } from '../../ui/documents/memoryFiles';
import { resultDocument } from './resultDocument';

const maxKept = 20;

/** Shows how calls ended: results as documents, the rest as messages. */
export class Outcomes implements Disposable {
  private readonly files: MemoryFiles;
  private readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  private readonly store = new DisposableStore();
  private readonly kept: MemoryFolder[] = [];

  constructor(files: MemoryFiles, resourceUri: Outcomes['resourceUri']) {
    this.files = files;
    this.resourceUri = resourceUri;
  }

  async show(call: ToolCall, outcome: ToolOutcome): Promise<void> {
    const name = plainLabel(displayName(call.tool));
    switch (outcome.kind) {
      case 'result':
        return this.showResult(call, outcome);
      case 'failed':
        void vscode.window.showErrorMessage(
          vscode.l10n.t('{0} failed: {1}', name, plainLabel(outcome.message, 500)),
        );
        return;
      case 'denied':
        void vscode.window.showInformationMessage(vscode.l10n.t('{0} was not run: denied.', name));
        return;
      case 'withdrawn':
        void vscode.window.showInformationMessage(
          vscode.l10n.t('{0} was not run: the question was withdrawn.', name),
        );
        return;
      case 'cancelled':
        void vscode.window.showInformationMessage(vscode.l10n.t('{0} was cancelled.', name));
        return;
      case 'background':
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private async showResult(
    call: ToolCall,
    { result, problems }: ToolOutcome & { readonly kind: 'result' },
  ): Promise<void> {
    const words = {
      error: vscode.l10n.t('The tool reported an error.'),
      structured: vscode.l10n.t('Structured content'),
      empty: vscode.l10n.t('The tool sent nothing back.'),
    };
    const document = resultDocument(call, result, problems, words);
    const folder = this.store.add(this.files.createFolder());
    for (const { name, content } of document.files) folder.add(name, content);
    for (const { name, uri } of document.links)
      folder.link(name, this.resourceUri(call.server.id, uri));
    const uri = folder.add(document.name, document.text);
    this.kept.push(folder);
    const oldest = this.kept.length > maxKept ? this.kept.shift() : undefined;
    if (oldest) this.store.delete(oldest);
    if (document.isMarkdown) await showMarkdownPreview(uri);
    else await vscode.window.showTextDocument(uri, { preview: true });
  }
}
