import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { closeTabs, tabsOf } from '../tabs';
import type { MemoryFolder } from './memoryFiles';

/**
 * Saves and closes everything that the editor shows of a folder that is no longer needed, and removes the folder once
 * the editor has released its documents: one that could not be saved anymore would come back in a tab of its own.
 */
export async function letGo(
  folder: MemoryFolder,
  options: { readonly preserveFocus: boolean },
): Promise<void> {
  const open = () => vscode.workspace.textDocuments.filter(({ uri }) => folder.contains(uri));
  const saveAll = () =>
    Promise.all(open().flatMap((document) => (document.isDirty ? [document.save()] : [])));
  await saveAll();
  await closeTabs(folder.contains, options);
  if (open().length === 0) return folder.dispose();
  const store = new DisposableStore();
  store.add(
    vscode.workspace.onDidCloseTextDocument(() => {
      if (open().length > 0) return;
      store.dispose();
      folder.dispose();
    }),
  );
  store.add(
    vscode.window.tabGroups.onDidChangeTabs(async ({ opened }) => {
      if (tabsOf(folder.contains, opened).every(({ isDirty }) => !isDirty)) return;
      await saveAll();
      await closeTabs(folder.contains, { preserveFocus: true });
    }),
  );
}
