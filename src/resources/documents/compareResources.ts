import * as vscode from 'vscode';
import { sameBytes } from '../../base/bytes';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { LiveResources } from '../live/liveResources';
import { showDiff } from '../../ui/keyboard';
import { pickDocuments } from './openResource';
import { readTarget, type ContentSources, type FoundDocument } from '../readTarget';
import { refOf, type ResourceTarget } from '../targets';
import { parseResourceUri, toVariantUri } from '../../ui/resourceUri';
import type { UserAction } from '../../ui/questions/question';

/** Shows what changed in a resource since the previous reading, and clears its mark; throws a `UserError` if nothing did. */
export async function showChanges(
  sources: ContentSources,
  live: LiveResources,
  target: ResourceTarget,
  action: UserAction,
): Promise<void> {
  const label = plainLabel(displayName(target.resource), 60);
  const before = sources.store.peek(refOf(target))?.previous?.documents;
  if (!before)
    throw new UserError(vscode.l10n.t('{0} has not changed since it was opened.', label));
  const { shown: _, ...whole } = target;
  const found = await readTarget(sources, whole, action);
  const changed = found.filter(({ document }) => !before.some((one) => isSame(one, document)));
  const chosen =
    changed.length > 1 ? await pickDocuments(sources, action, changed, target) : changed;
  for (const { uri, document } of chosen) {
    const title = vscode.l10n.t('{0} (before ↔ now)', document.name);
    const leave = sources.questions.stillBy(action, target.server.id);
    await showDiff([toVariantUri(uri, 'previous'), uri], title, leave);
  }
  if (chosen.length > 0) live.clear(refOf(target));
}

/** Compares a resource with the file in the active editor; throws a `UserError` if there is no such file. */
export async function compareWithActive(
  sources: ContentSources,
  target: ResourceTarget,
  action: UserAction,
): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const found = await readTarget(sources, target, action);
  if (!active || found.some(({ uri }) => uri.toString() === active.toString()))
    throw new UserError(vscode.l10n.t('Open the file to compare with in an editor first.'));
  const chosen = found.length > 1 ? await pickDocuments(sources, action, found, target) : found;
  for (const { uri, document } of chosen) {
    const title = `${document.name} ↔ ${nameBeside(active)}`;
    const leave = sources.questions.stillBy(action, target.server.id);
    await showDiff([uri, active], title, leave);
  }
}

/** Returns the name of a resource as in its tab, or the path of any other file in the workspace. */
function nameBeside(uri: vscode.Uri): string {
  const [name = ''] = uri.path.split('/').slice(-1);
  return parseResourceUri(uri) ? name : vscode.workspace.asRelativePath(uri);
}

function isSame(a: FoundDocument['document'], b: FoundDocument['document']): boolean {
  return a.name === b.name && sameBytes(a.bytes, b.bytes);
}
