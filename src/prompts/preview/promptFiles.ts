import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { OwnFolders } from '../../mcp/ownFolders';
import type { PrivateFiles } from '../../mcp/platform';
import { sanitize } from '../../base/text/fileName';
import { RecentFolders } from '../../ui/documents/recentFolders';
import { addFile, type MemoryFiles } from '../../ui/documents/memoryFiles';
import { isImageName, type PromptFile } from './promptParts';

/** The files that can be attached to the chat, and those that it does not take. */
export interface Attachments {
  readonly uris: readonly vscode.Uri[];
  readonly refused: readonly PromptFile[];
}

/** Whom the folders of images are made for. */
export const ownerOfImages = 'images of prompts';
const keptMs = 7 * 86_400_000;

/** The files that come with prompts, as documents of this window and as attachments of its chat. */
export class PromptFiles implements Disposable {
  private readonly kept: RecentFolders;
  private readonly files: PrivateFiles;
  private readonly disk: vscode.Uri | undefined;

  /** @param disk where images may be written; `undefined` if the chat runs on another machine. */
  constructor(memory: MemoryFiles, files: PrivateFiles, disk: vscode.Uri | undefined) {
    this.kept = new RecentFolders(memory, 'prompt');
    this.files = files;
    this.disk = disk;
  }

  /** True if images can be attached: the chat takes them only from the disk of its own machine. */
  get takesImages(): boolean {
    return this.disk !== undefined;
  }

  /** Makes documents to open, which are kept until many more have been requested. */
  open(files: readonly PromptFile[]): readonly vscode.Uri[] {
    if (files.length === 0) return [];
    const folder = this.kept.add(files.map(({ content }) => content));
    return files.map(({ name, content }) => addFile(folder, { name: sanitize(name), content }));
  }

  /** Makes attachments for the chat, which silently drops images that are not on its own disk. */
  async attach(files: readonly PromptFile[]): Promise<Attachments> {
    const { disk } = this;
    const images = files.filter(({ name }) => isImageName(name));
    const uris = this.open(files.filter(({ name }) => !isImageName(name)));
    if (!disk) return { uris, refused: images };
    if (images.length === 0) return { uris, refused: [] };
    await this.files.makeFolder(disk);
    const own = this.files.ownFolders(disk);
    await removeOld(disk, own);
    const made = `${Date.now()}-${crypto.randomUUID().slice(0, 8)}`;
    await own.make(made, ownerOfImages);
    const folder = vscode.Uri.joinPath(disk, made);
    const written = await Promise.all(
      images.map(async ({ name, content }) => {
        const uri = vscode.Uri.joinPath(folder, sanitize(name));
        await this.files.write(uri, bytesOf(content));
        return uri;
      }),
    );
    return { uris: [...written, ...uris], refused: [] };
  }

  dispose(): void {
    this.kept.dispose();
  }
}

/** Returns the bytes of a file; text is encoded as UTF-8. */
export function bytesOf(content: PromptFile['content']): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content;
}

/** Removes the folders whose names start with a time, in epoch ms, that is long past. */
async function removeOld(disk: vscode.Uri, own: OwnFolders): Promise<void> {
  for (const [name] of await vscode.workspace.fs.readDirectory(disk))
    if (Number.parseInt(name, 10) < Date.now() - keptMs) await own.remove(name, ownerOfImages);
}
