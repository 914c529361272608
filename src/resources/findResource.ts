import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { errorMessage, isCancellation } from '../base/errors';
import { plainLabel } from '../base/text';
import { displayName, type ResourceTemplate } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { watchServers } from '../ui/watchServers';
import { expectedName } from './resourceDocument';
import { toResourceUri } from './resourceUri';
import { searchResources } from './searchResources';
import { refOf, type ResourceTarget } from './targets';

/** A template that the person picked instead of a resource. */
export interface TemplateChoice {
  readonly server: Server;
  readonly template: ResourceTemplate;
}

type Entry = ResourceTarget & Partial<TemplateChoice>;
type Item = vscode.QuickPickItem & { readonly entry?: Entry };

const shownAtOnce = 200;

/** Lets the person find resources of all servers by name, title and URI while the lists come in. */
export function findResources(
  servers: Servers,
  title: string,
): Promise<readonly (ResourceTarget | TemplateChoice)[]> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Item>());
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Find by name, title or URI; select several with the boxes');
  pick.canSelectMany = false;
  pick.keepScrollPosition = true;
  let search = new AbortController();
  const update = async () => {
    search.abort();
    search = new AbortController();
    const { signal } = search;
    pick.busy = servers.all.some(isLoading);
    try {
      const { best, count } = await searchResources(
        entriesOf(servers),
        pick.value,
        shownAtOnce,
        signal,
      );
      if (!signal.aborted) pick.items = toItems(best, count);
    } catch (error) {
      if (!isCancellation(error)) pick.placeholder = errorMessage(error);
    }
  };
  store.add(pick.onDidChangeValue(() => void update()));
  store.add(servers.onDidChange(() => void update()));
  store.add(
    watchServers(servers, (server) => {
      const lists = new DisposableStore();
      lists.add(server.resources.onDidChange(() => void update()));
      lists.add(server.resourceTemplates.onDidChange(() => void update()));
      return lists;
    }),
  );
  return new Promise((resolve) => {
    const end = (chosen: readonly Entry[]) => {
      search.abort();
      resolve(chosen.map((one) => (one.template ? { ...one, template: one.template } : one)));
      store.dispose();
    };
    store.add(pick.onDidAccept(() => end(pick.selectedItems.flatMap(({ entry }) => entry ?? []))));
    store.add(pick.onDidHide(() => end([])));
    void update();
    pick.show();
  });
}

function isLoading({ state, resources }: Server): boolean {
  return state.kind === 'starting' || resources.status === 'loading';
}

function entriesOf(servers: Servers): readonly Entry[] {
  return servers.all.flatMap((server) => [
    ...server.resources.items.map((resource) => ({ server, resource })),
    ...server.resourceTemplates.items.map((template) => ({
      server,
      template,
      resource: { ...template, uri: template.uriTemplate },
    })),
  ]);
}

function toItems(best: readonly Entry[], count: number): readonly Item[] {
  const items = best.map((entry): Item => {
    const { server, resource, template } = entry;
    const label = plainLabel(displayName(resource));
    return {
      label: template ? vscode.l10n.t('{0}…', label) : label,
      description: plainLabel(server.name),
      detail: plainLabel(resource.uri),
      // What fits is decided here, where titles and URIs count as well.
      alwaysShow: true,
      entry,
      ...(template
        ? { iconPath: new vscode.ThemeIcon('symbol-parameter') }
        : {
            iconPath: vscode.ThemeIcon.File,
            resourceUri: toResourceUri(refOf(entry), expectedName(resource.uri, resource)),
          }),
    };
  });
  if (count <= items.length) return items;
  const label = vscode.l10n.t('{0} more: type to narrow down', String(count - items.length));
  return [...items, { label, kind: vscode.QuickPickItemKind.Separator }];
}
