import * as vscode from 'vscode';
import { delay } from '../base/async';
import { CancelledError, UserError } from '../base/errors';
import { formatBytes, plainLabel } from '../base/text/text';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { displayName } from '../mcp/protocol/types';
import type { Questions } from '../ui/questions/questions';
import { confirm } from '../ui/steps/confirm';
import type { EmbeddedDocuments } from './documents/embeddedDocuments';
import { type ResourceDocument, expectedKind } from './documents/resourceDocument';
import type { ResourceStore } from './documents/resourceStore';
import { type ResourceTarget, refOf } from './targets';
import { parseResourceUri, toResourceUri } from '../ui/resourceUri';
import type { UserAction } from '../ui/questions/question';
import type { MediaKind } from '../base/mediaTypes';
import { withProgress } from '../ui/messages';

const textLimit = 5_000_000;
const binaryLimit = 50_000_000;

/** True for a size in bytes that may slow an editor down, so that the user is asked first. */
export function exceedsGuard(kind: MediaKind, size: number): boolean {
  return size > (kind === 'text' ? textLimit : binaryLimit);
}

/** The sources of contents, which are reads and results, and the files that they are saved to. */
export interface ContentSources {
  readonly store: ResourceStore;
  readonly embedded: EmbeddedDocuments;
  readonly writer: WorkspaceWriter;
  readonly questions: Pick<Questions, 'ask' | 'stillBy' | 'untilFree' | 'workedElsewhere'>;
}

/** A document with our URI that opens it. */
export interface FoundDocument {
  readonly uri: vscode.Uri;
  readonly document: ResourceDocument;
}

const patienceMs = 700;

/**
 * Reads the documents of a target, and shows progress that the user can cancel if it takes a while. Rejects with the
 * server's error, with a `UserError` if there is no content, and with a `CancelledError` if the user does not want to
 * read that much.
 */
export async function readTarget(
  { store, embedded, questions }: ContentSources,
  target: ResourceTarget,
  action: UserAction | undefined,
): Promise<readonly FoundDocument[]> {
  const { resource, server, document: wanted, shown } = target;
  const location = shown && parseResourceUri(shown);
  const inside = location && embedded.find(location);
  if (inside) return [{ uri: shown, document: inside }];
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
    (await Promise.race([reading, delay(patienceMs)])) ??
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
