import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import type { Servers } from '../../mcp/server';
import { setContextKey } from '../../ui/commands';
import { ContextKey, Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { SavedResources } from './savedResources';
import type { LiveResources } from './liveResources';
import { refKey } from '../documents/resourceStore';
import { parseResourceUri, type ResourceRef } from '../../ui/resourceUri';

const longestUri = 300;

/** Watches the resources in open tabs, hidden ones included, and the pinned ones. */
export function watchOpenResources(live: LiveResources, saved: SavedResources): Disposable {
  const disposables = new DisposableStore();
  const update = () => live.watch([...openRefs(), ...saved.pinned()]);
  // A tab that moves is closed and reopened, and must not be unsubscribed from in between.
  const soon = disposables.add(new Timer(update));
  disposables.add(vscode.window.tabGroups.onDidChangeTabs(() => soon.start(50)));
  disposables.add(vscode.window.tabGroups.onDidChangeTabGroups(() => soon.start(50)));
  disposables.add(saved.onDidChange(() => soon.start(0)));
  disposables.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused && readSetting(Setting.refreshOnFocus)) live.refreshUnsubscribed();
    }),
  );
  disposables.add(live.onDidChangeMark(() => void showMarks(live)));
  update();
  return disposables;
}

/** Registers badges for the rows and tabs of changed resources, and hovers for tabs, since the editor shows our path there. */
export function registerDecorations(live: LiveResources, servers: Servers): Disposable {
  const disposables = new DisposableStore();
  const changed = disposables.add(new vscode.EventEmitter<vscode.Uri[] | undefined>());
  let open: ReadonlySet<string> | undefined;
  disposables.add(
    vscode.window.tabGroups.onDidChangeTabs(({ opened, closed }) => {
      open = undefined;
      changed.fire(tabUris([...opened, ...closed]).filter(parseResourceUri));
    }),
  );
  disposables.add(live.onDidChangeMark(() => changed.fire(undefined)));
  disposables.add(
    vscode.window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const location = parseResourceUri(uri);
        if (!location) return undefined;
        open ??= new Set(tabUris().map(String));
        const isChanged = live.isChanged(location);
        const { name = location.serverId } = servers.get(location.serverId) ?? {};
        const said = [
          // A row already says this.
          ...(open.has(uri.toString())
            ? [plainLabel(location.uri, longestUri), plainLabel(name, 60)]
            : []),
          ...(isChanged ? [vscode.l10n.t('Changed on the server')] : []),
        ];
        if (said.length === 0) return undefined;
        return {
          tooltip: said.join(' · '),
          ...(isChanged && {
            badge: '●',
            color: new vscode.ThemeColor('gitDecoration.modifiedResourceForeground'),
          }),
        };
      },
    }),
  );
  return disposables;
}

async function showMarks(live: LiveResources): Promise<void> {
  const changed = new Set(live.changed.map(refKey));
  const uris = tabUris().filter((uri) => {
    const location = parseResourceUri(uri);
    return location && changed.has(refKey(location));
  });
  await setContextKey(ContextKey.changedResources, uris.map(String));
}

function openRefs(): ResourceRef[] {
  return tabUris().flatMap((uri) => parseResourceUri(uri) ?? []);
}

/** Returns the documents in tabs, by default in all of them; for a comparison, both of its documents. */
export function tabUris(
  tabs: readonly vscode.Tab[] = vscode.window.tabGroups.all.flatMap((group) => group.tabs),
): vscode.Uri[] {
  return tabs.flatMap(({ input }) => {
    if (
      input instanceof vscode.TabInputText ||
      input instanceof vscode.TabInputCustom ||
      input instanceof vscode.TabInputNotebook
    )
      return [input.uri];
    return input instanceof vscode.TabInputTextDiff ? [input.original, input.modified] : [];
  });
}
