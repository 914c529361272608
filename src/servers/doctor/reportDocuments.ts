import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { reportScheme } from '../../ui/ids';
import { closeTabs } from '../../ui/tabs';

/** Shows reports as documents that cannot be changed; another one of the same name takes its place. */
export class ReportDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor() {
    // What an earlier session left open is empty now.
    void closeTabs((uri) => uri.scheme === reportScheme);
    this.store.add(vscode.workspace.registerTextDocumentContentProvider(reportScheme, this));
    this.store.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === reportScheme) this.texts.delete(uri.path);
      }),
    );
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    return this.texts.get(path) ?? '';
  }

  /** Shows a report; `preserveFocus` where the user has turned to something else since they wanted it. */
  async show(name: string, text: string, preserveFocus: boolean): Promise<void> {
    const uri = vscode.Uri.from({ scheme: reportScheme, path: `/${name.replaceAll('/', '∕')}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    const plain = await vscode.workspace.openTextDocument(uri);
    // Its lines are as long as what servers say, and this language wraps them.
    const document = await vscode.languages.setTextDocumentLanguage(plain, 'mcp-review');
    // The change of language has closed it, for those who listen.
    this.texts.set(uri.path, text);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
  }

  /** Puts the report that is looked at into the clipboard; false when none is. */
  async copyActive(): Promise<boolean> {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.uri.scheme !== reportScheme) return false;
    await vscode.env.clipboard.writeText(document.getText());
    return true;
  }

  dispose(): void {
    this.store.dispose();
  }
}
