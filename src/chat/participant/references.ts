import * as vscode from 'vscode';
import { openTextFile, readFileBytes, tooLarge } from '../../ui/documents/readTextFile';
import { utf8 } from '../../base/bytes';
import { errorMessage, LocalizedError } from '../../base/errors';
import { asideText, inEnglish, type LocalizableMessage } from '../../base/translate';
import { sniffMediaType, looksBinary } from '../../base/mediaTypes';
import { plainLabel, truncate } from '../../base/text/text';
import { parseResourceUri } from '../../ui/resourceUri';
import { markUntrusted } from '../content/modelContent';
import {
  toModelContentParts,
  type ContentPart,
  type ModelContent,
} from '../../contracts/modelMessages';

const maxBytes = 5_000_000;
const longestUri = 300;

/** The most of an attached folder that a model is told: so many names, and so many UTF-16 units of each. */
export const maxAttachedNames = 1000;
const longestName = 300;

/** Reads what the user attached to a request as content for the model; names what cannot be included. */
export async function referenceContent(
  references: readonly vscode.ChatPromptReference[],
): Promise<ModelContent> {
  const parts: ContentPart[] = [];
  const leftOut: LocalizableMessage[] = [];
  // The editor lists them last to first.
  for (const reference of references.toReversed()) {
    const label = labelOf(reference.value);
    try {
      const content = await readReference(reference.value);
      leftOut.push(...content.leftOut);
      const inText = label(inEnglish);
      const named: ContentPart = { kind: 'text', text: `Attached: ${inText}` };
      parts.push(named, ...markUntrusted(inText, content.parts));
    } catch (error) {
      leftOut.push((t) => asideText(label(t), errorMessage(error, t), t));
    }
  }
  return { parts, leftOut };
}

/** Returns the attachments, followed by the wanted ones that are missing from them. */
export function withMissing(
  references: readonly vscode.ChatPromptReference[],
  wanted: readonly vscode.ChatPromptReference[],
): readonly vscode.ChatPromptReference[] {
  const known = new Set(references.map(({ value }) => identityOf(value)));
  return [...references, ...wanted.filter(({ value }) => !known.has(identityOf(value)))];
}

function identityOf(value: unknown): unknown {
  if (value instanceof vscode.Location) return JSON.stringify([String(value.uri), value.range]);
  return value instanceof vscode.Uri ? String(value) : value;
}

async function readReference(value: unknown): Promise<ModelContent> {
  if (typeof value === 'string') return textContent(value);
  if (value instanceof vscode.Uri) return readUri(value);
  if (value instanceof vscode.Location)
    return documentContent(await openTextFile(value.uri), value.range);
  const { mimeType, data } = Object(value) as { mimeType?: unknown; data?: unknown };
  if (typeof data === 'function') {
    const bytes: unknown = await Reflect.apply(data, value, []);
    if (bytes instanceof Uint8Array) return bytesContent(bytes, String(mimeType));
  }
  throw new LocalizedError((t) => t('an attachment of an unknown kind'));
}

async function readUri(uri: vscode.Uri): Promise<ModelContent> {
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    const names = entries.slice(0, maxAttachedNames).map(([name]) => truncate(name, longestName));
    const more = entries.length - names.length;
    return textContent([...names, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'));
  }
  // An open document may have unsaved changes.
  const open = vscode.workspace.textDocuments.find(
    (each) => each.uri.toString() === uri.toString(),
  );
  if (open) return documentContent(open);
  const bytes = await readFileBytes(uri, maxBytes);
  return looksBinary(bytes) || sniffMediaType(bytes)?.startsWith('image/')
    ? bytesContent(bytes, sniffMediaType(bytes) ?? 'application/octet-stream')
    : textContent(new TextDecoder().decode(bytes));
}

/** Returns the text of a document, or of a range of it; throws if that is larger than a file may be. */
function documentContent(document: vscode.TextDocument, range?: vscode.Range): ModelContent {
  const text = document.getText(range);
  if (utf8(text).length > maxBytes) throw tooLarge(document.uri, maxBytes);
  return textContent(text);
}

function bytesContent(bytes: Uint8Array, mimeType: string): ModelContent {
  const media = mimeType.startsWith('image/') ? 'image' : 'other';
  return toModelContentParts([{ kind: 'binary', media, mimeType, bytes: new Uint8Array(bytes) }]);
}

function textContent(text: string): ModelContent {
  return { parts: [{ kind: 'text', text }], leftOut: [] };
}

/** Names an attachment; the model gets this in English. */
function labelOf(value: unknown): LocalizableMessage {
  if (value instanceof vscode.Location) {
    const { start, end } = value.range;
    const file = labelOf(value.uri);
    return (t) => t('{0}, lines {1} to {2}', file(t), String(start.line + 1), String(end.line + 1));
  }
  if (!(value instanceof vscode.Uri)) return (t) => t('attachment');
  const resource = parseResourceUri(value);
  if (!resource) return () => vscode.workspace.asRelativePath(value);
  // As its server writes it, so that the model can ask for the resource by this URI.
  const uri = plainLabel(resource.uri, longestUri);
  return (t) => t('resource {0} of the server {1}', uri, plainLabel(resource.serverId));
}
