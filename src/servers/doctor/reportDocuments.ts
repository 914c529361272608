import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { reportScheme } from '../../ui/ids';
import { closeTabs } from '../../ui/tabs';

/** Shows reports as read-only documents; a new one replaces an earlier one of the same name. */
export class ReportDocuments implements vscode.TextDocumentContentProvider, Disposable {
  private readonly store = new DisposableStore();
  private readonly texts = new Map<string, string>();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;

  constructor() {
    // Reports that an earlier session left open are empty now.
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

  /** Shows a report; `preserveFocus` if the user has turned to something else since asking for it. */
  async show(name: string, text: string, preserveFocus: boolean): Promise<void> {
    const uri = vscode.Uri.from({ scheme: reportScheme, path: `/${name.replaceAll('/', '∕')}` });
    this.texts.set(uri.path, text);
    this.changed.fire(uri);
    const plain = await vscode.workspace.openTextDocument(uri);
    // Its lines are as long as what servers say, and this language wraps them.
    const document = await vscode.languages.setTextDocumentLanguage(plain, 'mcp-review');
    // To listeners, the change of language has closed it.
    this.texts.set(uri.path, text);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus });
  }

  /** Copies the report in the active editor to the clipboard; resolves to false if there is none. */
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
