import * as vscode from 'vscode';
import { formatBytes, plainLabel } from '../../base/text/text';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import { isAppUri, type AppOpener } from '../../contracts/toolApps';
import { displayName } from '../../mcp/protocol/types';
import { pickEditor } from '../../ui/editorCommands';
import { besideWork } from '../../ui/documents/showDocument';
import { openDocument } from './openDocument';
import { readTarget, type ContentSources, type FoundDocument } from '../readTarget';
import { saveAs } from '../commands/saveResources';
import type { ResourceTarget } from '../targets';
import { toVariantUri } from '../../ui/resourceUri';
import { showPick } from '../../ui/rows/picks';

/** What the user is doing by the time a resource has been read, which may take a server long. */
export interface OpeningTurn {
  /** True if they have since been working in an editor or the chat, which keeps the keyboard focus and its place. */
  readonly isAway: () => boolean;
  /** True if a question is shown, which keeps the keyboard focus. */
  readonly isAsking: () => boolean;
  /** True if they have since opened another resource, which stays. */
  readonly isOver: () => boolean;
}

/** Reads a resource and shows it in the editor that fits it; if it has several documents, the user picks. */
export async function openResource(
  sources: ContentSources & { readonly openApp: AppOpener },
  target: ResourceTarget,
  { isAway, isAsking, isOver }: OpeningTurn,
): Promise<void> {
  const { server, resource } = target;
  if (isAppUri(resource.uri) && (await sources.openApp(server, resource.uri))) return;
  const found = await readTarget(sources, target);
  if (isOver()) return;
  const where = isAway() ? await besideWork() : { preserveFocus: isAsking() };
  const chosen = found.length === 1 ? found : await pickDocuments(found, target);
  const options = { preview: chosen.length === 1, ...where };
  for (const one of chosen) await show(one, options, sources.writer);
}

/** Shows a resource in an editor that the user picks. */
export async function openWith(sources: ContentSources, target: ResourceTarget): Promise<void> {
  const found = await readTarget(sources, target);
  const chosen = found.length === 1 ? found : await pickDocuments(found, target);
  for (const { uri } of chosen) await pickEditor(uri);
}

/** Lets the user pick one of the documents of a resource, or all of them. */
export async function pickDocuments(
  found: readonly FoundDocument[],
  { resource }: ResourceTarget,
): Promise<readonly FoundDocument[]> {
  const items = found.map((one) => ({
    label: plainLabel(one.document.name),
    description: formatBytes(one.document.bytes.length),
    detail: plainLabel(one.document.uri),
    documents: [one],
  }));
  const all = { label: vscode.l10n.t('All {0} Documents', String(found.length)), documents: found };
  const title = vscode.l10n.t('The Documents of {0}', plainLabel(displayName(resource), 60));
  const chosen = await showPick([...items, all], { title });
  return chosen?.documents ?? [];
}

async function show(
  { uri, document }: FoundDocument,
  options: vscode.TextDocumentShowOptions,
  writer: WorkspaceWriter,
): Promise<void> {
  if (!(await openDocument(uri, document, options))) await showUnknown({ uri, document }, writer);
}

async function showUnknown(
  { uri, document }: FoundDocument,
  writer: WorkspaceWriter,
): Promise<void> {
  const size = formatBytes(document.bytes.length);
  const kind = plainLabel(document.mimeType ?? '', 60);
  const choice = await showPick(
    [
      {
        label: vscode.l10n.t('Show as Hex'),
        run: () =>
          vscode.commands.executeCommand('vscode.openWith', toVariantUri(uri, 'hex'), 'default'),
      },
      { label: vscode.l10n.t('Save As…'), run: () => saveAs([{ uri, document }], writer) },
      { label: vscode.l10n.t('Open With…'), run: () => pickEditor(uri) },
    ],
    {
      title: [document.name, kind, size].filter(Boolean).join(' · '),
      placeHolder: vscode.l10n.t('No editor here shows this kind of document'),
    },
  );
  await choice?.run();
}
