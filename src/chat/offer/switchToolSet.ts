import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import { askLine } from '../../ui/steps/askLine';
import { pickItem } from '../../ui/steps/pickItem';
import { type PickLook, separator } from '../../ui/rows/picks';
import { type SelectToolsDeps, costText, costed } from './selectTools';
import { type KnownTool, type SelectableTool, toolKey } from '../../offer/offeredTools';
import type { UserAction } from '../../ui/questions/question';
import { isRecord } from '../../base/json';
import { type Memento, StoredList, isString } from '../../base/memento';
import { tellBriefly } from '../../ui/messages';

/** The most sets of tools that a workspace keeps. */
export const maxToolSets = 50;

interface ToolSet {
  readonly name: string;
  /** The keys of its tools. */
  readonly tools: readonly string[];
}

/** Named selections of tools, kept for the workspace. */
export class ToolSets {
  private readonly kept: StoredList<ToolSet>;

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'toolSets', { max: maxToolSets, isEntry: isToolSet });
  }

  /** The names of the sets, in the order in which they were last saved. */
  get names(): readonly string[] {
    return this.kept.all.map(({ name }) => name);
  }

  /** Returns a function that is true for the tools in a set. */
  has(name: string): (tool: SelectableTool) => boolean {
    const keys = new Set(this.kept.all.find((set) => set.name === name)?.tools);
    return (tool) => keys.has(toolKey(tool));
  }

  /** Saves tools under a name, replacing a set of that name and discarding the oldest set if necessary. */
  save(name: string, tools: readonly SelectableTool[]): Promise<void> {
    return this.kept.put({ name, tools: tools.map(toolKey) }, (set) => set.name === name);
  }

  delete(name: string): Promise<void> {
    return this.kept.remove((set) => set.name === name);
  }
}

function isToolSet(value: unknown): value is ToolSet {
  if (!isRecord(value)) return false;
  const { name, tools } = value;
  return isString(name) && Array.isArray(tools) && tools.every(isString);
}

const longestName = 60;
/** How long the status bar says what was done, in milliseconds. */
const toldMs = 5000;

/** Lets the user switch to a named selection of tools, or save or delete one. */
export async function switchToolSet(
  action: UserAction,
  deps: SelectToolsDeps,
  sets: ToolSets,
): Promise<void> {
  const { chatTools, selection, costs, questions } = deps;
  const all = chatTools.known;
  const cost = (tools: readonly KnownTool[]) => costText(costs.total(tools.flatMap(costed)));
  const now = all.filter(selection.offers);
  const offered = new Set(now);
  const isOffered = (tools: readonly KnownTool[]) =>
    tools.length === now.length && tools.every((tool) => offered.has(tool));
  const size = (tools: readonly KnownTool[]) =>
    `${vscode.l10n.t('{0} tools', tools.length)} · ${cost(tools)}`;
  const row = (label: string, tools: readonly KnownTool[]) => ({
    label,
    description: isOffered(tools) ? `${size(tools)} · ${vscode.l10n.t('current')}` : size(tools),
  });
  const named = sets.names.map((name) => {
    const tools = all.filter(sets.has(name));
    return { ...row(name, tools), run: () => selection.choose(all, tools) };
  });
  const items: (PickLook & { readonly run?: () => Promise<void> })[] = [
    { ...row(vscode.l10n.t('All Tools'), all), run: () => selection.choose(all, all) },
    ...named,
    separator(vscode.l10n.t('sets')),
    {
      label: vscode.l10n.t('Save as Set…'),
      description: size(now),
      run: async () => {
        const name = await askName(action, deps, sets.names);
        if (name === undefined) return;
        await sets.save(name, now);
        tell(vscode.l10n.t('The set {0} was saved with {1} tools.', plainLabel(name), now.length));
      },
    },
    ...sets.names.map((name) => ({
      label: vscode.l10n.t('Delete the Set {0}', plainLabel(name)),
      run: async () => {
        await sets.delete(name);
        tell(vscode.l10n.t('The set {0} was deleted.', plainLabel(name)));
      },
    })),
  ];
  const title = vscode.l10n.t('Switch Tool Set');
  const picked = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) => pickItem({ frame: { title, actions: [], context }, items, own: { action } }),
  );
  if (typeof picked === 'object') await picked.run?.();
}

/** Says in the status bar what was done, since nothing else shows it. */
function tell(what: string): void {
  tellBriefly(what, toldMs);
}

async function askName(
  action: UserAction,
  { questions }: SelectToolsDeps,
  taken: readonly string[],
): Promise<string | undefined> {
  const title = vscode.l10n.t('Save as Set');
  const name = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) =>
      askLine({
        frame: { title, actions: [], context },
        prompt: vscode.l10n.t('Name for the tools that models are offered now'),
        validate: (text) => (nameIn(text) === '' ? vscode.l10n.t('Enter a name.') : undefined),
        note: (text) =>
          taken.includes(nameIn(text))
            ? vscode.l10n.t('Replaces the set of this name.')
            : undefined,
      }),
  );
  return name && nameIn(name);
}

function nameIn(text: string): string {
  return text.trim().slice(0, longestName);
}
