import * as vscode from 'vscode';
import { type LocalizableMessage, listText } from '../../base/translate';
import { plainLabel, readableText } from '../../base/text/text';
import type { HandedPrompt, NotTaken } from '../../contracts/promptDraft';
import { displayName } from '../../mcp/protocol/types';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { type PromptChat, openChat, showAsText, showInstead } from '../../ui/editorChat';
import { type Permit, askSaveAs, openFile, showText } from '../../ui/keyboard';
import { showMessage, tellBriefly } from '../../ui/messages';
import { type Delivery, asMarkdown, asText, foldMessages, markdownFiles } from './draftText';
import type { DeliveryTarget } from './targets';
import type { PromptFiles } from '../preview/promptFiles';
import { type PromptFile, type PromptPart, isImageName, promptParts } from '../preview/promptParts';
import { sanitize } from '../../base/text/fileName';
import { fileExists } from '../../ui/documents/readTextFile';
import { type FollowedText, sayTextChanged } from '../../ui/sources/followedText';
import { copyText } from '../../ui/clipboard';
import type { ResourceUris } from '../../ui/resourceUri';

/** Inserts the messages at the cursors of the editor where the prompt was run, or in a new document if these are gone. */
async function insertText(delivery: Delivery): Promise<void> {
  const { draft, editor, cursors, parts, isAway } = delivery;
  const permit = isAway ? undefined : delivery.permit;
  const text = asText(parts);
  if (!editor || editor.document.isClosed) return showNew(text, permit);
  const { document, viewColumn } = editor;
  // An editor that something else has replaced keeps its old selections, whatever has been edited since.
  const isLive = !isAway && vscode.window.visibleTextEditors.includes(editor);
  const ranges = isLive ? editor.selections : rangesOf(cursors);
  const name = plainLabel(displayName(draft.prompt));
  if (!ranges) {
    sayTextChanged(name);
    return showNew(text, permit);
  }
  if (isAway) return insertQuietly(name, document, ranges, text);
  const shown = await showText(document, permit, {
    ...(viewColumn !== undefined && { viewColumn }),
  });
  const done = await shown.edit((edit) => {
    for (const range of ranges) edit.replace(range, text);
  });
  if (!done) await copyInstead(text);
}

/** Inserts the text where the cursors were, and leaves the keyboard focus where it is. */
async function insertQuietly(
  name: string,
  document: vscode.TextDocument,
  ranges: readonly vscode.Range[],
  text: string,
): Promise<void> {
  const { t } = vscode.l10n;
  const edit = new vscode.WorkspaceEdit();
  for (const range of ranges) edit.replace(document.uri, range, text);
  if (!(await vscode.workspace.applyEdit(edit))) return copyInstead(text);
  const file = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
  const message = t('The text of the prompt "{0}" was inserted into {1}.', name, plainLabel(file));
  const show = t('Show');
  void showMessage('info', message, show).then(async (pressed) => {
    const [selection] = ranges.map(({ start }) => new vscode.Range(start, start));
    if (pressed) await showText(document, pressed.action, { ...(selection && { selection }) });
  });
}

/** Returns where the texts are now; `undefined` if one of them was itself edited or its document was closed. */
function rangesOf(cursors: readonly FollowedText[]): readonly vscode.Range[] | undefined {
  const ranges = cursors.flatMap(({ range }) => range ?? []);
  return ranges.length === cursors.length ? ranges : undefined;
}

async function showNew(content: string, permit: Permit): Promise<void> {
  await showText(await vscode.workspace.openTextDocument({ content }), permit);
}

async function copyInstead(text: string): Promise<void> {
  await copyText(text);
  void showMessage(
    'warning',
    vscode.l10n.t('This editor is read-only. The text was copied to the clipboard instead.'),
  );
}

/**
 * Saves the messages, as they were sent, as a Markdown file of the user's choice, with binary files beside it; false if
 * they dismissed the dialog.
 */
export async function saveMarkdown(
  { draft, permit }: Pick<Delivery, 'draft' | 'permit'>,
  writer: WorkspaceWriter,
): Promise<boolean> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${sanitize(displayName(draft.prompt))}.md`;
  if (!permit) return false;
  const target = await askSaveAs(permit, {
    title: vscode.l10n.t('Save as Markdown'),
    filters: { Markdown: ['md'] },
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (!target) return false;
  await writer.check(target);
  const parts = promptParts(draft, 'asSent');
  const directory = vscode.Uri.joinPath(target, '..');
  const saved = new Map<PromptFile, string>();
  for (const file of markdownFiles(parts)) {
    // A file written beside the chosen one must not be hidden from the user.
    const uri = await freeName(directory, sanitize(file.name).replace(/^\.+/, ''));
    await writer.write(uri, file.content);
    saved.set(file, uri.path.slice(uri.path.lastIndexOf('/') + 1));
  }
  const renamed = parts.map((part) => {
    const given = part.file && saved.get(part.file);
    return part.file && given !== undefined
      ? { ...part, file: { ...part.file, name: given } }
      : part;
  });
  await writer.write(target, asMarkdown(draft, renamed));
  // The dialog was the user's own just now.
  await showText(target, permit);
  return true;
}

/** Returns the URI of the name in the directory, with a number added if the name is taken. */
async function freeName(directory: vscode.Uri, name: string): Promise<vscode.Uri> {
  const dot = name.includes('.') ? name.lastIndexOf('.') : name.length;
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : `${name.slice(0, dot)}-${n}${name.slice(dot)}`;
    const uri = vscode.Uri.joinPath(directory, candidate);
    if (!(await fileExists(uri))) return uri;
  }
}

/** A draft in the form that the editor's own chat agent accepts. */
interface ChatTurns {
  /** The completed exchanges, each a request with its response. */
  readonly previous: readonly { readonly request: string; readonly response: string }[];
  /** The text for the input box: the user's texts since the last answer. */
  readonly query: string;
  readonly files: readonly PromptFile[];
  /** The URIs of linked resources. */
  readonly links: readonly string[];
  /** One sentence for each part that cannot be included. */
  readonly leftOut: readonly LocalizableMessage[];
}

/** Groups messages into exchanges: texts keep their order and role, and everything else is attached. */
export function chatTurns(parts: readonly PromptPart[]): ChatTurns {
  const previous: { request: string; response: string }[] = [];
  const files: PromptFile[] = [];
  const links: string[] = [];
  const leftOut: LocalizableMessage[] = [];
  let request: string[] = [];
  let response: string[] = [];
  for (const { role, part, file } of parts) {
    if (role === 'user' && response.length > 0) {
      previous.push({ request: join(request), response: join(response) });
      request = [];
      response = [];
    }
    if (file) files.push(file);
    if (part.kind === 'link') links.push(part.uri);
    if (part.kind === 'problem') leftOut.push(part.message);
    if (part.kind === 'text') (role === 'user' ? request : response).push(part.text);
  }
  if (response.length > 0) {
    previous.push({ request: join(request), response: join(response) });
    request = [];
  }
  return { previous, query: join(request), files, links, leftOut };
}

function join(texts: readonly string[]): string {
  return texts.join('\n\n');
}

/** Delivers the messages of prompts to where the user wants them. */
export class PromptDelivery {
  private readonly deps: {
    readonly promptFiles: PromptFiles;
    readonly promptChat: PromptChat;
    readonly writer: WorkspaceWriter;
    readonly resources: ResourceUris;
  };

  constructor(deps: PromptDelivery['deps']) {
    this.deps = deps;
  }

  /** Delivers the messages to the target; resolves to false if the user changed their mind along the way. */
  async deliver(target: DeliveryTarget, delivery: Delivery): Promise<boolean> {
    switch (target) {
      case 'chat':
      case 'chatWithLinks':
        await this.send(delivery, target === 'chatWithLinks');
        return true;
      case 'message':
        await unlessTaken(delivery, await this.sendMessage(delivery));
        return true;
      case 'draft':
        await unlessTaken(delivery, await this.openDraft(delivery));
        return true;
      case 'insert':
        await insertText(delivery);
        return true;
      case 'copy':
        await copyText(asText(delivery.parts));
        tellBriefly(
          vscode.l10n.t('Copied {0}', plainLabel(displayName(delivery.draft.prompt))),
          3000,
        );
        return true;
      case 'return':
        return true;
      case 'save':
        return await saveMarkdown(delivery, this.deps.writer);
    }
  }

  private async send(delivery: Delivery, readLinks: boolean): Promise<void> {
    const { permit } = delivery;
    const notTaken: NotTaken | undefined = permit
      ? await this.deps.promptChat.sendPrompt(this.handed(delivery, readLinks), permit)
      : { why: vscode.l10n.t('The chat did not take the message.') };
    const isTakenNow = notTaken?.isTakenNow;
    if (!isTakenNow) return unlessTaken(delivery, notTaken?.why);
    const message = vscode.l10n.t('Send to the Agent as One Message');
    const open = vscode.l10n.t('Open as Document');
    void showMessage('warning', notTaken.why, message, open).then(async (pressed) => {
      if (!pressed) return;
      const { button, action } = pressed;
      if (button === message && isTakenNow()) {
        tellTaken(delivery);
      } else if (button === message) {
        await this.deliver('message', { ...delivery, permit: action });
        await delivery.redirected('message');
      } else await showAsText(documentOf(delivery), action);
    });
  }

  /** Sends all messages as one to whichever chat is open, or to a new one if there are attachments. */
  private async sendMessage({ draft, parts, permit }: Delivery): Promise<string | undefined> {
    const { promptFiles } = this.deps;
    if (!permit) return vscode.l10n.t('The chat did not take the message.');
    const { text, files, leftOut } = foldMessages(draft, parts, promptFiles.takesImages);
    const { uris } = await promptFiles.attach(files);
    const why = await openChat({ query: text, submit: true, attachFiles: uris, permit });
    if (why !== undefined) return why;
    const images = promptFiles.takesImages
      ? []
      : parts.flatMap(({ file }) => (file && isImageName(file.name) ? [file] : []));
    if (leftOut.length > 0 || images.length > 0)
      void tellLeftOut(leftOut, promptFiles.open(images));
    return undefined;
  }

  private handed({ draft, parts }: Delivery, readLinks: boolean): HandedPrompt {
    const files = parts.flatMap(({ part, file }) =>
      part.kind === 'binary' && part.media !== 'image' && file ? [file] : [],
    );
    const uris = this.deps.promptFiles.open(files);
    const openable = files.map(({ name }, at) => ({ name, uri: String(uris[at]) }));
    const { links } = chatTurns(parts);
    const linked = links.map((uri) => this.deps.resources.uriOf(draft.server.id, uri).toString());
    return { draft, openable, linked: readLinks ? linked : [] };
  }

  private async openDraft({ draft, parts, permit }: Delivery): Promise<string | undefined> {
    const { promptFiles, resources } = this.deps;
    if (!permit) return vscode.l10n.t('The chat did not take the message.');
    const { previous, query, files, links, leftOut } = chatTurns(parts);
    const { uris, refused } = await promptFiles.attach(files);
    const linked = links.map((uri) => resources.uriOf(draft.server.id, uri));
    const attachFiles = [...uris, ...linked.filter((uri) => !isImageName(uri.path))];
    const why = await openChat({
      query,
      submit: false,
      attachFiles,
      previousRequests: previous,
      permit,
    });
    if (why !== undefined) return why;
    const images = [
      ...promptFiles.open(refused),
      ...linked.filter(({ path }) => isImageName(path)),
    ];
    if (leftOut.length > 0 || images.length > 0) void tellLeftOut(leftOut, images);
    return undefined;
  }
}

/** Tells the user what could not be included, and offers to open the images among it. */
async function tellLeftOut(
  sentences: readonly LocalizableMessage[],
  images: readonly vscode.Uri[],
): Promise<void> {
  const names = images.map(({ path }) => path.slice(path.lastIndexOf('/') + 1));
  const unattached = vscode.l10n.t(
    'This chat takes images only from the disk of its own machine, so these are not attached: {0}.',
    listText(names, vscode.l10n.t),
  );
  const told = sentences.map((sentence) => sentence(vscode.l10n.t));
  const text = [...told, ...(images.length > 0 ? [unattached] : [])].join(' ');
  const open = vscode.l10n.t('Open');
  const buttons = images.length > 0 ? [open] : [];
  const pressed = await showMessage('warning', text, ...buttons);
  if (pressed) for (const image of images) await openFile(image, pressed.action);
}

/** Says that `@mcp` has received the prompt after all, which is why it is not sent again. */
function tellTaken({ draft }: Delivery): void {
  const name = plainLabel(displayName(draft.prompt));
  void showMessage(
    'info',
    vscode.l10n.t(
      '@mcp has received the prompt "{0}" in the meantime, so it was not sent again.',
      name,
    ),
  );
}

/** Shows the messages elsewhere if there is a reason why the chat did not take them. */
async function unlessTaken(delivery: Delivery, why: string | undefined): Promise<void> {
  const { isAway, permit } = delivery;
  if (why === undefined) return;
  await showInstead(why, documentOf(delivery), isAway ? undefined : permit);
}

/** Returns all of a prompt as a document to read or to copy into another chat. */
function documentOf({ draft, parts }: Delivery): string {
  return readableText(asMarkdown(draft, parts));
}
