import * as vscode from 'vscode';
import { formatBytes, plainLabel } from '../../base/text/text';
import { type Apps, isAppUri } from '../../contracts/toolApps';
import { displayName } from '../../mcp/protocol/types';
import { pickEditor } from '../../ui/editorCommands';
import { type Permit, openFile } from '../../ui/keyboard';
import { openDocument } from './openDocument';
import { type FoundDocument, type ResourceDocument, expectedKind } from './resourceDocument';
import { type SavingDeps, saveAs } from '../commands/saveResources';
import { type ResourceTarget, refOf } from '../targets';
import { toResourceUri, toVariantUri } from '../../ui/resourceUri';
import { showPick } from '../../ui/rows/picks';
import type { UserAction } from '../../ui/questions/question';
import { delay } from '../../base/async';
import { CancelledError, UserError } from '../../base/errors';
import type { WorkspaceWriter } from '../../ui/files/workspaceWriter';
import type { Questions } from '../../ui/questions/questions';
import { confirm } from '../../ui/steps/confirm';
import type { ResourceStore } from './resourceStore';
import type { MediaKind } from '../../base/mediaTypes';
import { withProgress } from '../../ui/messages';

const textLimit = 5_000_000;
const binaryLimit = 50_000_000;

/** True for a size in bytes that may slow an editor down, so that the user is asked first. */
export function exceedsGuard(kind: MediaKind, size: number): boolean {
  return size > (kind === 'text' ? textLimit : binaryLimit);
}

/** Where contents are read, and what writes the files that they are saved to. */
export interface ContentSources {
  readonly store: ResourceStore;
  readonly writer: WorkspaceWriter;
  readonly questions: Pick<Questions, 'ask' | 'stillBy' | 'untilFree' | 'workedElsewhere'>;
}

const progressDelayMs = 700;

/**
 * Reads the documents of a target, and shows progress that the user can cancel if it takes a while. Rejects with the
 * server's error, with a `UserError` if there is no content, and with a `CancelledError` if the user does not want to
 * read that much.
 */
export async function readTarget(
  { store, questions }: ContentSources,
  target: ResourceTarget,
  action: UserAction | undefined,
): Promise<readonly FoundDocument[]> {
  const { resource, server, document: wanted } = target;
  const ref = refOf(target);
  const label = plainLabel(displayName(resource), 80);
  const confirmSize = async (name: string, kind: ResourceDocument['kind'], size: number) => {
    if (!exceedsGuard(kind, size)) return;
    const question = vscode.l10n.t('{0} is {1}. Open it anyway?', name, formatBytes(size));
    const asked = action && questions.workedElsewhere(action.at) ? undefined : action;
    if (!(await confirm(questions, asked, { question, yes: vscode.l10n.t('Continue') })))
      throw new CancelledError();
  };
  if (!store.peek(ref) && resource.size !== undefined)
    await confirmSize(label, expectedKind(resource), resource.size);
  const controller = new AbortController();
  const reading = store.read(ref, controller.signal);
  const title = vscode.l10n.t('Reading {0} from {1}', label, plainLabel(server.name));
  const { documents } =
    (await Promise.race([reading, delay(progressDelayMs)])) ??
    (await withProgress(
      { location: vscode.ProgressLocation.Notification, cancellable: true, title },
      (_progress, token) => {
        token.onCancellationRequested(() => controller.abort());
        return reading;
      },
    ));
  const named = documents.filter(({ name }) => name === wanted);
  // A name that was guessed before the resource was read stands for all its documents.
  const found = named.length > 0 ? named : documents;
  if (found.length === 0)
    throw new UserError(
      vscode.l10n.t('{0} returned no content for {1}.', plainLabel(server.name), label),
    );
  const several = documents.length > 1;
  for (const { kind, bytes, name } of found)
    if (resource.size === undefined || bytes.length > resource.size)
      await confirmSize(several ? plainLabel(name) : label, kind, bytes.length);
  return found.map((document) => ({ uri: toResourceUri(ref, document.name), document }));
}

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
  sources: ContentSources & { readonly apps: Pick<Apps, 'openUri'> },
  target: ResourceTarget,
  { action, isAway, isAsking, isOver }: OpeningTurn,
): Promise<void> {
  const { server, resource } = target;
  if (isAppUri(resource.uri) && (await sources.apps.openUri(server, resource.uri, action))) return;
  const found = await readTarget(sources, target, action);
  if (isOver()) return;
  const permit = isAway() ? undefined : action;
  const chosen = found.length === 1 ? found : await pickDocuments(sources, action, found, target);
  const options = { preview: chosen.length === 1, preserveFocus: isAsking() };
  for (const one of chosen) await show(one, permit, options, { ...sources, action });
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
  permit: Permit,
  options: vscode.TextDocumentShowOptions,
  deps: SavingDeps,
): Promise<void> {
  if (!(await openDocument(uri, document, permit, options)))
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
