import * as vscode from 'vscode';
import { utf8 } from '../../base/bytes/bytes';
import type { App } from '../page/app';

/** The largest HTML of an app that is kept to show later how the app has changed, in bytes. */
const maxKeptBytes = 2_000_000;

/** The HTML of allowed apps by fingerprint, in files of the extension's own. */
export class KeptSources {
  private readonly folder: vscode.Uri;

  constructor(storage: vscode.Uri) {
    this.folder = vscode.Uri.joinPath(storage, 'apps');
  }

  async keep({ fingerprint, html, bytes }: App, wanted: ReadonlySet<string>): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.folder);
    if (bytes <= maxKeptBytes)
      await vscode.workspace.fs.writeFile(this.file(fingerprint), utf8(html));
    for (const [name] of await vscode.workspace.fs.readDirectory(this.folder))
      if (!wanted.has(name.replace('.html', '')))
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(this.folder, name));
  }

  /** Reads the HTML as it was allowed; `undefined` if it was too large to keep. */
  async read(fingerprint: string): Promise<string | undefined> {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(this.file(fingerprint)));
    } catch {
      return undefined;
    }
  }

  private file(fingerprint: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${fingerprint}.html`);
  }
}
