import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { maxPickRows, narrow, plainLabel, truncate, wordsLabel } from '../base/text/text';
import { displayName } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import { isDown } from '../mcp/serverState';
import { entryIcon } from '../ui/entryIcon';
import { moreLabel } from '../ui/rows/labels';
import { watchServers } from '../ui/watchServers';
import type { Starts } from '../contracts/starts';
import { byRecency, promptEntries, promptKey, type PromptEntry } from './promptEntry';
import {
  failureSteps,
  nextSteps,
  signInSteps,
  takeStep,
  trustSteps,
  type NextStep,
  type WaitingQuestions,
} from '../ui/rows/nextSteps';
import { separator, createPick, safeRows, type PickLook } from '../ui/rows/picks';
import { showThroughStarts } from '../ui/rows/showThroughStarts';
import type { UserAction } from '../ui/questions/question';

type PromptItem = PickLook &
  Partial<NextStep> & {
    readonly entry?: PromptEntry;
    /** Servers to start because their prompts are not known yet. */
    readonly start?: readonly Server[];
  };

/** Lets the user pick a prompt from a live list, recently used ones first; `undefined` if they dismissed it. */
export type PickPrompt = (action: UserAction, title?: string) => Promise<PromptEntry | undefined>;

interface PickPromptDeps {
  readonly servers: Servers;
  readonly starts: Pick<Starts, 'startAndTell'>;
  readonly questions: WaitingQuestions;
  readonly recent: () => readonly string[];
}

/** Makes a {@link PickPrompt}; `recent` returns the keys of the prompts that were used, most recent first. */
export function createPickPrompt(deps: PickPromptDeps): PickPrompt {
  // A list that a question has covered would otherwise come back along with the next one.
  let leave = () => {};
  return (action, title = vscode.l10n.t('Run MCP Prompt')) => {
    leave();
    const store = new DisposableStore();
    leave = () => store.dispose();
    return pickPrompt(action, title, store, deps);
  };
}

async function pickPrompt(
  action: UserAction,
  title: string,
  store: DisposableStore,
  { servers, starts, questions, recent }: PickPromptDeps,
): Promise<PromptEntry | undefined> {
  await servers.ready;
  const recentKeys = recent();
  const pick = store.add(createPick<PromptItem>(action));
  pick.title = plainLabel(title);
  pick.placeholder = vscode.l10n.t('Find a prompt by title, server, description or argument');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const show = () => {
    pick.busy = servers.all.some(({ state }) => state.kind === 'starting');
    const [active] = pick.activeItems;
    const isFirst = active === pick.items.find(({ entry }) => entry);
    const entries = promptEntries(servers.all);
    const { shown, more } = narrow(entries, pick.value, textOf);
    const unknown = servers.all.filter(isUnknown);
    const hasNone = entries.length === 0 && unknown.length === 0;
    const steps = hasNone
      ? nextSteps(servers, questions, ({ prompts }) => [prompts])
      : trustSteps();
    const missing = hasNone ? [] : [...startItems(unknown), ...needItems(servers)];
    const items: PromptItem[] = [
      ...(entries.length === 0 ? steps : []),
      ...promptItems(shown, recentKeys, entries.length > maxPickRows),
      ...(more > 0 ? [separator(moreLabel(more))] : []),
      ...(missing.length > 0
        ? [separator(vscode.l10n.t('prompts not loaded yet')), ...missing]
        : []),
    ];
    pick.items = safeRows(items);
    // A prompt that the user has selected with the keyboard stays selected when more prompts come in.
    const again = !isFirst && pick.items.find(({ entry }) => entry && isSame(entry, active?.entry));
    if (again) pick.activeItems = [again];
  };
  store.add(servers.onDidChange(show));
  store.add(
    questions.onDidChange(() => {
      // Only an empty list mentions questions; any other would only lose the selected row.
      if (pick.items.every(({ entry, start }) => !entry && !start)) show();
    }),
  );
  store.add(
    pick.onDidChangeValue(() => {
      // If the editor has all the rows, it filters them itself.
      if (promptEntries(servers.all).length > maxPickRows) show();
    }),
  );
  store.add(watchServers(servers, ({ prompts }) => prompts.onDidChange(show)));
  return new Promise((resolve) => {
    store.add({ dispose: () => resolve(undefined) });
    store.add(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item?.start) start(item.start);
        if (!item?.entry && item?.next === undefined) return;
        if (item.next !== undefined) void takeStep(item.next);
        resolve(item.entry);
        store.dispose();
      }),
    );
    show();
    const noteStart = showThroughStarts(pick, store, questions, () => store.dispose());
    const start = (those: readonly Server[]) => {
      // The typed text was only meant to find this row, and would hide the prompts that appear here.
      pick.value = '';
      noteStart(those, starts.startAndTell(those, action));
    };
  });
}

function isSame(a: PromptEntry | undefined, b: PromptEntry | undefined): boolean {
  return a !== undefined && b !== undefined && promptKey(a) === promptKey(b);
}

function isUnknown({ state, prompts }: Server): boolean {
  return prompts.status === 'empty' && isDown(state);
}

/**
 * Makes the rows for servers whose prompts are not known because they require a sign-in or have failed; they are found
 * by their text, among prompts.
 */
function needItems({ all }: Servers): readonly PromptItem[] {
  const unknown = all.filter(({ prompts }) => prompts.status === 'empty');
  const steps = [...signInSteps(unknown), ...failureSteps(unknown)];
  return steps.map((step) => ({ ...step, alwaysShow: false }));
}

function startItems(unknown: readonly Server[]): readonly PromptItem[] {
  if (unknown.length === 0) return [];
  const items = unknown.map((server): PromptItem => ({
    label: vscode.l10n.t('Start {0}', plainLabel(server.name)),
    iconPath: new vscode.ThemeIcon('play'),
    start: [server],
  }));
  const all: PromptItem = {
    label: vscode.l10n.t('Start All {0} Servers', String(unknown.length)),
    iconPath: new vscode.ThemeIcon('run-all'),
    start: unknown,
  };
  return items.length > 1 ? [all, ...items] : items;
}

function promptItems(
  entries: readonly PromptEntry[],
  recentKeys: readonly string[],
  alwaysShow: boolean,
): readonly PromptItem[] {
  const { recent, rest } = byRecency(entries, recentKeys);
  const items: PromptItem[] = [];
  if (recent.length > 0) items.push(separator(vscode.l10n.t('recently used')));
  for (const entry of recent) items.push({ ...promptItem(entry), alwaysShow });
  let server: Server | undefined;
  for (const entry of rest) {
    if (entry.server !== server) items.push(separator(plainLabel(entry.server.name)));
    server = entry.server;
    items.push({ ...promptItem(entry), alwaysShow });
  }
  return items;
}

function textOf({ prompt, server }: PromptEntry): string {
  const { name, description = '' } = prompt;
  return [displayName(prompt), name, server.name, truncate(description, 1000)].join('\n');
}

function promptItem(entry: PromptEntry): PromptItem {
  const { prompt, server } = entry;
  const title = displayName(prompt);
  const name = title === prompt.name ? '' : `${plainLabel(prompt.name)} · `;
  const args = (prompt.arguments ?? []).map(({ name: argument, required }) =>
    required ? argument : `${argument}?`,
  );
  return {
    label: plainLabel(title),
    iconPath: entryIcon(prompt, new vscode.ThemeIcon('comment')),
    description: `${name}${plainLabel(server.name)}`,
    detail: wordsLabel(
      [prompt.description ?? '', args.length > 0 ? `(${args.join(', ')})` : '']
        .filter(Boolean)
        .join(' '),
    ),
    entry,
  };
}
