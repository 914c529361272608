import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { sanitize } from '../base/fileName';
import { plainLabel, plainMessage } from '../base/text';
import type { OpenableFile, PromptDraft, SendToChat } from '../mcp/promptDraft';
import { displayName } from '../mcp/protocol';
import { hasChat, openChat } from '../ui/editorCommands';
import type { MemoryFiles, MemoryFolder } from '../ui/memoryFiles';
import { chatTurns } from './chatTurns';
import { asMarkdown, asText } from './draftText';
import type { PromptAction } from './promptAction';
import type { PromptFile, PromptPart } from './promptParts';
import { saveMarkdown } from './saveMarkdown';

/** What a prompt gave, on its way out. */
export interface Delivery {
  readonly draft: PromptDraft;
  readonly parts: readonly PromptPart[];
  /** The editor that was active when the prompt was run. */
  readonly editor: vscode.TextEditor | undefined;
}

const keptAttachments = 20;

/** Brings the messages of prompts to where the person wants them. */
export class PromptDelivery implements Disposable {
  private readonly store = new DisposableStore();
  private readonly attachments: MemoryFolder[] = [];
  private readonly deps: {
    readonly files: MemoryFiles;
    readonly sendToChat: SendToChat;
    readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  };

  constructor(deps: PromptDelivery['deps']) {
    this.deps = deps;
  }

  /** Does it; resolves to false when the person changed their mind on the way. */
  async deliver(action: PromptAction, delivery: Delivery): Promise<boolean> {
    switch (action) {
      case 'chat':
      case 'chatWithLinks':
        if (await hasChat())
          await this.deps.sendToChat(
            { draft: delivery.draft, openable: this.openable(delivery) },
            { readLinks: action === 'chatWithLinks' },
          );
        else await openWithoutChat(delivery);
        return true;
      case 'draft':
        if (await hasChat()) await this.openDraft(delivery);
        else await openWithoutChat(delivery);
        return true;
      case 'insert':
        await insert(delivery);
        return true;
      case 'copy':
        await vscode.env.clipboard.writeText(asText(delivery.parts));
        vscode.window.setStatusBarMessage(
          vscode.l10n.t('Copied {0}', plainLabel(displayName(delivery.draft.prompt))),
          3000,
        );
        return true;
      case 'return':
        return true;
      case 'save':
        return await saveMarkdown(delivery.draft, delivery.parts);
    }
  }

  dispose(): void {
    this.store.dispose();
  }

  private async openDraft({ draft, parts }: Delivery): Promise<void> {
    const { previous, query, files, links, leftOut } = chatTurns(parts);
    const attachFiles = [
      ...this.keepFiles(files),
      ...links.map((uri) => this.deps.resourceUri(draft.server.id, uri)),
    ];
    await openChat({ query, submit: false, attachFiles, previousRequests: previous });
    if (leftOut.length > 0) void vscode.window.showWarningMessage(plainMessage(leftOut.join(' ')));
  }

  /** What models do not take, for the person to open from the chat. */
  private openable({ parts }: Delivery): readonly OpenableFile[] {
    const files = parts.flatMap(({ part, file }) =>
      part.kind === 'binary' && part.media !== 'image' && file ? [file] : [],
    );
    return this.keepFiles(files).map((uri, at) => ({
      name: files[at]?.name ?? '',
      uri: uri.toString(),
    }));
  }

  /** Keeps files as documents, for as long as they may be asked for. */
  private keepFiles(files: readonly PromptFile[]): readonly vscode.Uri[] {
    if (files.length === 0) return [];
    const folder = this.store.add(this.deps.files.createFolder());
    this.attachments.push(folder);
    const oldest = this.attachments.length > keptAttachments ? this.attachments.shift() : undefined;
    if (oldest) this.store.delete(oldest);
    return files.map(({ name, content }) => folder.add(sanitize(name), content));
  }
}

async function openWithoutChat({ draft, parts }: Delivery): Promise<void> {
  const content = asMarkdown(draft, parts);
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language: 'markdown' }),
  );
  void vscode.window.showInformationMessage(
    vscode.l10n.t('This editor has no chat view, so the prompt is in a document of its own.'),
  );
}

async function insert({ editor, parts }: Delivery): Promise<void> {
  const text = asText(parts);
  if (!editor || editor.document.isClosed) {
    await vscode.window.showTextDocument(
      await vscode.workspace.openTextDocument({ content: text }),
    );
    return;
  }
  const { document, selections, viewColumn } = editor;
  const shown = await vscode.window.showTextDocument(document, {
    ...(viewColumn !== undefined && { viewColumn }),
  });
  const done = await shown.edit((edit) => {
    for (const selection of selections) edit.replace(selection, text);
  });
  if (done) return;
  await vscode.env.clipboard.writeText(text);
  void vscode.window.showWarningMessage(
    vscode.l10n.t('This editor cannot be written to. The text is in the clipboard instead.'),
  );
}
