import * as vscode from 'vscode';
import { plainLabel, plainMessage } from '../../base/text/text';
import type { HandedPrompt, PromptDraft, SendToChat } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import { hasChat, openChat } from '../../ui/editorCommands';
import { chatTurns } from './chatTurns';
import { asMarkdown, asText } from './draftText';
import type { PromptAction } from '../promptAction';
import { isImageName, type PromptFiles } from '../preview/promptFiles';
import type { PromptPart } from '../preview/promptParts';
import { saveMarkdown } from './saveMarkdown';

/** What a prompt gave, on its way out. */
export interface Delivery {
  readonly draft: PromptDraft;
  readonly parts: readonly PromptPart[];
  /** The editor that was active when the prompt was run. */
  readonly editor: vscode.TextEditor | undefined;
}

/** Brings the messages of prompts to where the person wants them. */
export class PromptDelivery {
  private readonly deps: {
    readonly promptFiles: PromptFiles;
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
          await this.deps.sendToChat(this.handed(delivery, action === 'chatWithLinks'));
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

  private handed({ draft, parts }: Delivery, readLinks: boolean): HandedPrompt {
    const files = parts.flatMap(({ part, file }) =>
      part.kind === 'binary' && part.media !== 'image' && file ? [file] : [],
    );
    const uris = this.deps.promptFiles.open(files);
    const openable = files.map(({ name }, at) => ({ name, uri: String(uris[at]) }));
    const { links } = chatTurns(parts);
    const linked = links.map((uri) => this.deps.resourceUri(draft.server.id, uri).toString());
    return { draft, openable, linked: readLinks ? linked : [] };
  }

  private async openDraft({ draft, parts }: Delivery): Promise<void> {
    const { promptFiles, resourceUri } = this.deps;
    const { previous, query, files, links, leftOut } = chatTurns(parts);
    const { uris, refused } = await promptFiles.attach(files);
    const linked = links.map((uri) => resourceUri(draft.server.id, uri));
    const attachFiles = [...uris, ...linked.filter((uri) => !isImageName(uri.path))];
    await openChat({ query, submit: false, attachFiles, previousRequests: previous });
    const images = [
      ...promptFiles.open(refused),
      ...linked.filter(({ path }) => isImageName(path)),
    ];
    if (leftOut.length > 0 || images.length > 0) void tellLeftOut(leftOut, images);
  }
}

/** Names what a draft could not carry, with its images to be opened. */
async function tellLeftOut(
  sentences: readonly string[],
  images: readonly vscode.Uri[],
): Promise<void> {
  const names = images.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const unattached = vscode.l10n.t(
    'This chat takes images only from the disk of its own machine, so these are not attached: {0}.',
    names.join(', '),
  );
  const text = [...sentences, ...(images.length > 0 ? [unattached] : [])].join(' ');
  const open = vscode.l10n.t('Open');
  const buttons = images.length > 0 ? [open] : [];
  const choice = await vscode.window.showWarningMessage(plainMessage(text), ...buttons);
  if (choice !== open) return;
  for (const image of images) await vscode.commands.executeCommand('vscode.open', image);
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
