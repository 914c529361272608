import * as vscode from 'vscode';
import { setContextKey } from '../../ui/commands';
import { ContextKey, View } from '../../ui/ids';
import type { Disposable } from '../../base/disposable';
import type { SortKey, ViewOptions } from './viewOptions';
import { plainLabel } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import type { AskFilter } from '../../ui/rows/filterBox';
import { showPick, type PickLook } from '../../ui/rows/picks';
import type { UserAction } from '../../ui/questions/question';

/** Lets the user pick what resources are sorted by. */
export async function pickSort(options: ViewOptions, action: UserAction): Promise<void> {
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
  const chosen = await showPick(action, shown, { title });
  if (chosen) await options.setSort(chosen.key);
}

/** Lets the user type what the shown resources must match: those of `server`, or of all servers. */
export async function filterResources(
  action: UserAction,
  options: ViewOptions,
  askFilter: AskFilter,
  server?: Pick<Server, 'id' | 'name'>,
): Promise<void> {
  const { t } = vscode.l10n;
  const before = options.filter;
  const list = {
    title: server
      ? t('Filter Resources of "{0}"', plainLabel(server.name, 60))
      : t('Filter Resources'),
    prompt: t('Filter by name, title or URI'),
    view: View.servers,
    filter: before.serverId === server?.id ? before.text : '',
    setFilter: (text: string) => options.setFilter(text, server?.id),
    restore: () => options.setFilter(before.text, before.serverId),
  };
  await askFilter(list, action);
}

/** Keeps the context keys that menus depend on in sync with the options. */
export function showOptions(options: ViewOptions): Disposable {
  const update = () => {
    void setContextKey(ContextKey.resourcesFlat, options.flat);
    void setContextKey(ContextKey.resourcesFiltered, options.filter.text !== '');
  };
  update();
  return options.onDidChange(update);
}
