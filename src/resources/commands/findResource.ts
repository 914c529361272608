import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { CancelledError, errorMessage, isCancellation } from '../../base/errors';
import { plainLabel, truncate, wordsLabel } from '../../base/text/text';
import { type Resource, type ResourceTemplate, displayName } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { entryIcon } from '../../ui/entryIcon';
import { moreLabel } from '../../ui/rows/labels';
import { watchServers } from '../../ui/watchServers';
import { expectedName } from '../documents/resourceDocument';
import { toResourceUri } from '../../ui/resourceUri';
import { type ResourceTarget, refOf } from '../targets';
import {
  type NextStep,
  type WaitingQuestions,
  chooseThroughSteps,
  nextSteps,
} from '../../ui/rows/nextSteps';
import type { UserAction } from '../../ui/questions/question';
import { type PickLook, createPick, onTaken, safeRows, showUntilHidden } from '../../ui/rows/picks';
import { nextTurn } from '../../base/async';
import { matchResource } from '../tree/match';

/** An entry that can be searched, with the resource by which it is found. */
interface Searchable {
  readonly resource: Resource;
}

// Long enough to make progress, short enough to go unnoticed.
const sliceMs = 8;

/**
 * Finds the best `limit` entries for what was typed, and counts all that match; works in slices, so that nothing else
 * waits for it. Rejects with a `CancelledError` once `signal` aborts.
 */
export async function searchResources<T extends Searchable>(
  entries: readonly T[],
  typed: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly best: readonly T[]; readonly count: number }> {
  if (typed.trim() === '') return { best: entries.slice(0, limit), count: entries.length };
  const found: { readonly entry: T; readonly score: number }[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const entry of entries) {
    const score = matchResource(entry.resource, typed);
    if (score !== undefined) found.push({ entry, score });
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    if (signal.aborted) throw new CancelledError();
    sliceEnd = performance.now() + sliceMs;
  }
  const best = found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
  return { best, count: found.length };
}

/** A template that the user picked instead of a resource. */
export interface TemplateChoice {
  readonly server: Server;
  readonly template: ResourceTemplate;
}

type Entry = ResourceTarget & Partial<TemplateChoice>;
type Item = PickLook & Partial<NextStep> & { readonly entry?: Entry };

const shownAtOnce = 200;
const longestDetail = 300;

/** What the user found; `attach` means that it goes to the chat instead of where it was requested. */
export interface FoundResource {
  readonly choice: ResourceTarget | TemplateChoice;
  readonly attach: boolean;
}

interface FindDeps {
  readonly servers: Servers;
  readonly questions: WaitingQuestions;
}

/** What the row leads to that the user has taken; empty if they took none. */
type Taken = Partial<Pick<NextStep, 'next'>> & { readonly found?: FoundResource };

/** Lets the user find a resource of any server by name, title, or URI, even while lists load; `undefined` if dismissed. */
export async function findResource(
  action: UserAction,
  deps: FindDeps,
  title: string,
): Promise<FoundResource | undefined> {
  await deps.servers.ready;
  const taken = await chooseThroughSteps(() => takeRow(action, deps, title), deps.questions);
  return taken?.found;
}

function takeRow(
  action: UserAction,
  { servers, questions }: FindDeps,
  title: string,
): Promise<Taken> {
  const store = new DisposableStore();
  const pick = store.add(createPick<Item>(action));
  pick.title = plainLabel(title);
  pick.placeholder = vscode.l10n.t('Find by name, title or URI');
  pick.keepScrollPosition = true;
  let entries = entriesOf(servers);
  let search = new AbortController();
  const update = async (keep?: Entry) => {
    search.abort();
    search = new AbortController();
    const { signal } = search;
    pick.busy = servers.all.some(isLoading);
    try {
      const { best, count } = await searchResources(entries, pick.value, shownAtOnce, signal);
      if (signal.aborted) return;
      const steps = entries.length > 0 ? [] : nextSteps(servers, questions, listsOf);
      pick.items = safeRows<Item>([...toItems(best, count), ...steps]);
      const active = keep && pick.items.find(({ entry }) => entry && isSame(entry, keep));
      if (active) pick.activeItems = [active];
    } catch (error) {
      if (!isCancellation(error)) pick.placeholder = wordsLabel(errorMessage(error, vscode.l10n.t));
    }
  };
  const refresh = () => {
    entries = entriesOf(servers);
    // The selected row stays selected while more come in.
    void update(pick.activeItems[0]?.entry);
  };
  store.add(pick.onDidChangeValue(() => void update()));
  store.add(servers.onDidChange(refresh));
  store.add(questions.onDidChange(refresh));
  store.add(
    watchServers(servers, (server) => {
      const lists = new DisposableStore();
      lists.add(server.resources.onDidChange(refresh));
      lists.add(server.resourceTemplates.onDidChange(refresh));
      return lists;
    }),
  );
  return new Promise((resolve) => {
    const end = (item?: Item, attach = false) => {
      search.abort();
      const { entry, next } = item ?? {};
      const { template } = entry ?? {};
      resolve({
        ...(next && { next }),
        ...(entry && { found: { choice: template ? { ...entry, template } : entry, attach } }),
      });
      store.dispose();
    };
    store.add(onTaken(pick, end));
    store.add(pick.onDidTriggerItemButton(({ item }) => end(item, true)));
    void update();
    showUntilHidden(pick, store, end);
  });
}

function listsOf({ resources, resourceTemplates }: Server) {
  return [resources, resourceTemplates];
}

function isLoading({ state, resources }: Server): boolean {
  return state.kind === 'starting' || resources.status === 'loading';
}

function isSame(a: Entry, b: Entry): boolean {
  return a.server === b.server && a.resource.uri === b.resource.uri && !a.template === !b.template;
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
  const attachButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('attach'),
    tooltip: vscode.l10n.t('Attach to Chat'),
  };
  const items = best.map((entry): Item => {
    const { server, resource, template } = entry;
    const label = plainLabel(displayName(resource));
    return {
      label: template ? vscode.l10n.t('{0}…', label) : label,
      description: plainLabel(server.name),
      detail: plainLabel(truncate(resource.uri, longestDetail)),
      // Matches are decided here, where titles and URIs count as well.
      alwaysShow: true,
      entry,
      ...(template
        ? { iconPath: entryIcon(template, new vscode.ThemeIcon('symbol-parameter')) }
        : {
            buttons: [attachButton],
            iconPath: entryIcon(resource, vscode.ThemeIcon.File),
            resourceUri: toResourceUri(refOf(entry), expectedName(resource.uri, resource)),
          }),
    };
  });
  if (count <= items.length) return items;
  const label = moreLabel(count - items.length);
  return [...items, { label, kind: vscode.QuickPickItemKind.Separator }];
}
