import * as vscode from 'vscode';
import { utf8 } from '../../base/bytes/bytes';
import type { App } from '../page/app';

/** The largest HTML of an app of which the text is kept, to show later how it has changed. */
const maxKeptBytes = 2_000_000;

/** The HTML of apps that were allowed, by their fingerprints, in files of the extension's own. */
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

  /** The HTML as it was allowed; `undefined` where it was too large to be kept. */
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
