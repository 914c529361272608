import * as vscode from 'vscode';
import type { PrivateFiles } from '../../mcp/platform';
import { readFileInUtf8 } from '../../ui/documents/readTextFile';
import type { App } from '../page/app';

/** The largest HTML of an app that is kept to show later how the app has changed, in bytes. */
const maxKeptBytes = 2_000_000;

/** The HTML of allowed apps by fingerprint, in files of the extension's own. */
export class AllowedSources {
  private readonly folder: vscode.Uri;

  private readonly files: Pick<PrivateFiles, 'makeFolder' | 'write'>;

  constructor(storage: vscode.Uri, files: Pick<PrivateFiles, 'makeFolder' | 'write'>) {
    this.files = files;
    this.folder = vscode.Uri.joinPath(storage, 'apps');
  }

  async keep({ fingerprint, html, bytes }: App, wanted: ReadonlySet<string>): Promise<void> {
    await this.files.makeFolder(this.folder);
    if (bytes <= maxKeptBytes) await this.files.write(this.file(fingerprint), html);
    for (const [name] of await vscode.workspace.fs.readDirectory(this.folder))
      if (!wanted.has(name.replace('.html', '')))
        await vscode.workspace.fs.delete(vscode.Uri.joinPath(this.folder, name));
  }

  /** Reads the HTML as it was allowed; `undefined` if it was too large to keep. */
  async read(fingerprint: string): Promise<string | undefined> {
    try {
      return await readFileInUtf8(this.file(fingerprint), maxKeptBytes);
    } catch {
      return undefined;
    }
  }

  private file(fingerprint: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${fingerprint}.html`);
  }
}
