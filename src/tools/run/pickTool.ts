import { toolIcon, toolNote } from '../../ui/entryIcon';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { maxPickRows, narrow, plainLabel, truncate, wordsLabel } from '../../base/text/text';
import { displayName, type Tool } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { moreLabel } from '../../ui/rows/labels';
import { watchServers } from '../../ui/watchServers';
import {
  type NextStep,
  type WaitingQuestions,
  chooseThroughSteps,
  nextSteps,
} from '../../ui/rows/nextSteps';
import { separator, createPick, safeRows, untilTaken, type PickLook } from '../../ui/rows/picks';
import type { UserAction } from '../../ui/questions/question';

/** A tool and the server that offers it. */
export interface ToolEntry {
  readonly server: Server;
  readonly tool: Tool;
}

interface PickDeps {
  readonly servers: Servers;
  readonly questions: WaitingQuestions;
}

type Item = PickLook & Partial<NextStep> & { readonly entry?: ToolEntry };

/**
 * Lets the user pick a tool of any server that passes `accept`, from a list that stays current; `undefined` if
 * they pick none.
 */
export async function pickTool(
  action: UserAction,
  deps: PickDeps,
  accept: (entry: ToolEntry) => boolean = () => true,
): Promise<ToolEntry | undefined> {
  await deps.servers.ready;
  const taken = await chooseThroughSteps(() => takeItem(action, deps, accept), deps.questions);
  return taken?.entry;
}

function takeItem(
  action: UserAction,
  { servers, questions }: PickDeps,
  accept: (entry: ToolEntry) => boolean,
): Promise<Item | undefined> {
  const find = () =>
    servers.all.flatMap((server) =>
      server.tools.items.map((tool) => ({ server, tool })).filter(accept),
    );
  const store = new DisposableStore();
  const pick = store.add(createPick<Item>(action));
  pick.title = vscode.l10n.t('Run MCP Tool');
  pick.placeholder = vscode.l10n.t('Select a tool to run');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const show = () => {
    const entries = find();
    const active = pick.activeItems[0]?.entry;
    pick.busy = servers.all.some(({ state }) => state.kind === 'starting');
    const steps = entries.length > 0 ? [] : nextSteps(servers, questions, ({ tools }) => [tools]);
    pick.items = safeRows<Item>([...toItems(entries, pick.value), ...steps]);
    // Tools that arrive while one is highlighted with the keyboard leave it highlighted.
    const again = active && pick.items.find(({ entry }) => isSame(entry, active));
    if (again) pick.activeItems = [again];
  };
  store.add(servers.onDidChange(show));
  store.add(questions.onDidChange(show));
  store.add(watchServers(servers, ({ tools }) => tools.onDidChange(show)));
  store.add(
    pick.onDidChangeValue(() => {
      // The editor itself filters a list that it has in full.
      if (find().length > maxPickRows) show();
    }),
  );
  show();
  return untilTaken(pick, store);
}

function isSame(a: ToolEntry | undefined, b: ToolEntry): boolean {
  return a?.server === b.server && a.tool.name === b.tool.name;
}

function toItems(entries: readonly ToolEntry[], typed: string): readonly Item[] {
  const { shown, more } = narrow(entries, typed, textOf);
  let server: Server | undefined;
  const items = shown.flatMap((entry): Item[] => {
    const heading = entry.server === server ? [] : [separator(plainLabel(entry.server.name))];
    server = entry.server;
    return [...heading, toItem(entry, entries.length > maxPickRows)];
  });
  return more > 0 ? [...items, separator(moreLabel(more))] : items;
}

function toItem(entry: ToolEntry, alwaysShow: boolean): Item {
  return {
    label: plainLabel(displayName(entry.tool)),
    description: [...otherName(entry.tool), plainLabel(entry.server.name)].join(' · '),
    detail: wordsLabel([toolNote(entry.tool), entry.tool.description].filter(Boolean).join(' · ')),
    iconPath: toolIcon(entry.tool),
    alwaysShow,
    entry,
  };
}

/** Returns the name that models and READMEs use for a tool, if users are shown a different one. */
function otherName(tool: Tool): readonly string[] {
  const name = plainLabel(tool.name);
  return name === plainLabel(displayName(tool)) ? [] : [name];
}

function textOf({ server, tool }: ToolEntry): string {
  return [displayName(tool), tool.name, server.name, truncate(tool.description ?? '', 1000)].join(
    '\n',
  );
}
