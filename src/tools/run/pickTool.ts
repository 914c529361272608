import { toolIcon, toolNote } from '../../ui/toolNote';
import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { maxPickRows, narrow } from '../../base/text/narrow';
import { plainLabel, truncate } from '../../base/text/text';
import { displayName, type Tool } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { moreLabel } from '../../ui/moreLabel';
import { nextSteps, takeStep, type NextStep } from '../../ui/rows/nextSteps';
import { separator, createPick, pickRows, untilTaken, type PickLook } from '../../ui/rows/picks';

/** A tool and the server that offers it. */
export interface ToolEntry {
  readonly server: Server;
  readonly tool: Tool;
}

type Item = PickLook & Partial<NextStep> & { readonly entry?: ToolEntry };

/** Lets the user pick one of the tools of all servers that `accept` takes; the wished servers start if need be. */
export async function pickTool(
  servers: Servers,
  accept: (entry: ToolEntry) => boolean = () => true,
): Promise<ToolEntry | undefined> {
  const entries = servers.all.flatMap((server) =>
    server.tools.items.map((tool) => ({ server, tool })).filter(accept),
  );
  const store = new DisposableStore();
  const pick = store.add(createPick<Item>());
  pick.title = vscode.l10n.t('Run MCP Tool');
  pick.placeholder = vscode.l10n.t('Select a tool to run');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = pickRows<Item>(entries.length > 0 ? toItems(entries, '') : nextSteps(servers));
  if (entries.length > maxPickRows)
    store.add(pick.onDidChangeValue((typed) => (pick.items = pickRows(toItems(entries, typed)))));
  const taken = await untilTaken(pick, store);
  if (taken?.next !== undefined) await takeStep(taken.next);
  return taken?.entry;
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
    detail: plainLabel([toolNote(entry.tool), entry.tool.description].filter(Boolean).join(' · ')),
    iconPath: toolIcon(entry.tool),
    alwaysShow,
    entry,
  };
}

/** The name that models and READMEs call it by, where people are shown another. */
function otherName(tool: Tool): readonly string[] {
  const name = plainLabel(tool.name);
  return name === plainLabel(displayName(tool)) ? [] : [name];
}

function textOf({ server, tool }: ToolEntry): string {
  return [displayName(tool), tool.name, server.name, truncate(tool.description ?? '', 1000)].join(
    '\n',
  );
}
