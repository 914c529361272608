import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import type { ResourceDocument } from './resourceDocument';
import { type ResourceRef, type ResourceStore } from './resourceStore';
import { toResourceUri } from './resourceUri';

/** Reads a resource with progress that can be cancelled; rejects with what the server said. */
export async function readWithProgress(
  store: ResourceStore,
  ref: ResourceRef,
  label: string,
): Promise<readonly ResourceDocument[]> {
  const title = vscode.l10n.t('Reading {0}', plainLabel(label, 60));
  const { documents } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title },
    () => store.read(ref),
  );
  return documents;
}

/** Shows a resource in the editor that fits it. */
export async function openResource(
  store: ResourceStore,
  ref: ResourceRef,
  label: string,
): Promise<void> {
  const documents = await readWithProgress(store, ref, label);
  const document = documents[0];
  if (!document) throw new Error('empty');
  await vscode.commands.executeCommand('vscode.open', toResourceUri(ref, document.name));
}
