import * as vscode from 'vscode';
import { setContextKey } from '../../ui/commands';
import { ContextKey } from '../../ui/ids';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { SortKey } from './order';
import type { ViewOptions } from './viewOptions';
import { showPick, type PickLook } from '../../ui/rows/picks';

/** Lets the user pick what resources are sorted by. */
export async function pickSort(options: ViewOptions): Promise<void> {
  const items: readonly (PickLook & { readonly key: SortKey })[] = [
    { key: 'name', label: vscode.l10n.t('Name') },
    { key: 'size', label: vscode.l10n.t('Size'), description: vscode.l10n.t('largest first') },
    {
      key: 'changed',
      label: vscode.l10n.t('Last Change'),
      description: vscode.l10n.t('latest first'),
    },
  ];
  const shown = items.map((item) => ({ ...item, picked: item.key === options.sort }));
  const title = vscode.l10n.t('Sort Resources By');
  const chosen = await showPick(shown, { title });
  if (chosen) await options.setSort(chosen.key);
}

/** Lets the user type what the shown resources must match; the tree follows while they type. */
export function askFilter(options: ViewOptions): Promise<void> {
  const before = options.filter;
  const store = new DisposableStore();
  const box = store.add(vscode.window.createInputBox());
  box.title = vscode.l10n.t('Filter Resources');
  box.placeholder = vscode.l10n.t('Filter by name, title or URI');
  box.value = before;
  return new Promise((resolve) => {
    let accepted = false;
    store.add(box.onDidChangeValue((value) => options.setFilter(value.trim())));
    store.add(
      box.onDidAccept(() => {
        accepted = true;
        box.hide();
      }),
    );
    store.add(
      box.onDidHide(() => {
        if (!accepted) options.setFilter(before);
        store.dispose();
        resolve();
      }),
    );
    box.show();
  });
}

/** Keeps the context keys that menus go by in step with the options. */
export function showOptions(options: ViewOptions): Disposable {
  const update = () => {
    void setContextKey(ContextKey.resourcesFlat, options.flat);
    void setContextKey(ContextKey.resourcesFiltered, options.filter !== '');
  };
  update();
  return options.onDidChange(update);
}
