import * as vscode from 'vscode';
import { formatBytes, plainLabel } from '../../base/text/text';
import { isAppUri } from '../../contracts/toolApps';
import type { Server } from '../../mcp/server';
import { displayName } from '../../mcp/protocol/types';
import { pickEditor } from '../../ui/editorCommands';
import { openFile, type Leave } from '../../ui/keyboard';
import { openDocument } from './openDocument';
import { readTarget, type ContentSources, type FoundDocument } from '../readTarget';
import { saveAs, type SavingDeps } from '../commands/saveResources';
import type { ResourceTarget } from '../targets';
import { toVariantUri } from '../../ui/resourceUri';
import { showPick } from '../../ui/rows/picks';
import type { UserAction } from '../../ui/questions/question';

/** Opens the app at a URI, a resource with a scheme of its own; resolves to false if the user wants no apps. */
export type AppOpener = (server: Server, uri: string, asked: UserAction) => Promise<boolean>;

/** What the user is doing by the time a resource has been read, which may take a server long. */
export interface OpeningTurn {
  readonly action: UserAction;
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
  { action, isAway, isAsking, isOver }: OpeningTurn,
): Promise<void> {
  const { server, resource } = target;
  if (isAppUri(resource.uri) && (await sources.openApp(server, resource.uri, action))) return;
  const found = await readTarget(sources, target, action);
  if (isOver()) return;
  const leave = isAway() ? undefined : action;
  const chosen = found.length === 1 ? found : await pickDocuments(sources, action, found, target);
  const options = { preview: chosen.length === 1, preserveFocus: isAsking() };
  for (const one of chosen) await show(one, leave, options, { ...sources, action });
}

/** Shows a resource in an editor that the user picks. */
export async function openWith(
  sources: ContentSources,
  target: ResourceTarget,
  action: UserAction,
): Promise<void> {
  const found = await readTarget(sources, target, action);
  const chosen = found.length === 1 ? found : await pickDocuments(sources, action, found, target);
  for (const { uri } of chosen) await pickEditor(uri, await sources.questions.untilFree(action));
}

/** Lets the user pick one of the documents of a resource, or all of them. */
export async function pickDocuments(
  { questions }: Pick<ContentSources, 'questions'>,
  action: UserAction,
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
  const chosen = await showPick(await questions.untilFree(action), [...items, all], { title });
  return chosen?.documents ?? [];
}

async function show(
  { uri, document }: FoundDocument,
  leave: Leave,
  options: vscode.TextDocumentShowOptions,
  deps: SavingDeps,
): Promise<void> {
  if (!(await openDocument(uri, document, leave, options)))
    await showUnknown({ uri, document }, deps);
}

async function showUnknown({ uri, document }: FoundDocument, deps: SavingDeps): Promise<void> {
  const action = await deps.questions.untilFree(deps.action);
  const size = formatBytes(document.bytes.length);
  const kind = plainLabel(document.mimeType ?? '', 60);
  const choice = await showPick(
    action,
    [
      {
        label: vscode.l10n.t('Show as Hex'),
        run: () => openFile(toVariantUri(uri, 'hex'), action, { editor: 'default' }),
      },
      { label: vscode.l10n.t('Save As…'), run: () => saveAs([{ uri, document }], deps) },
      { label: vscode.l10n.t('Open With…'), run: () => pickEditor(uri, action) },
    ],
    {
      title: [document.name, kind, size].filter(Boolean).join(' · '),
      placeHolder: vscode.l10n.t('No editor here shows this kind of document'),
    },
  );
  await choice?.run();
}
