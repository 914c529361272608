import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { type ContentSources, readTarget } from '../documents/openResource';
import type { FoundDocument } from '../documents/resourceDocument';
import type { ResourceTarget } from '../targets';
import type { UserAction } from '../../ui/questions/question';
import { copyAddresses, copyDocument } from '../../ui/clipboard';

/** Reads the documents of all targets, in order; rejects with the error of the first that cannot be read. */
export async function readTargets(
  sources: ContentSources,
  targets: readonly ResourceTarget[],
  action: UserAction | undefined,
): Promise<readonly FoundDocument[]> {
  return (await Promise.all(targets.map((target) => readTarget(sources, target, action)))).flat();
}

/** Copies the servers' own URIs to the clipboard, one per line, with what is hidden in one percent-encoded. */
export async function copyUris(targets: readonly ResourceTarget[]): Promise<void> {
  await copyAddresses(...targets.map(({ resource }) => resource.uri));
}

/** Copies the text of documents to the clipboard, one after another; throws a `UserError` if one is not text. */
export async function copyContents(found: readonly FoundDocument[]): Promise<void> {
  const other = found.find(({ document }) => document.kind !== 'text');
  if (other)
    throw new UserError(vscode.l10n.t('{0} is not text. Save it instead.', other.document.name));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const texts = found.map(({ document }) => decoder.decode(document.bytes));
  await copyDocument(texts.join('\n'));
}
