import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import { askLine } from '../../ui/steps/askLine';
import { pickItem } from '../../ui/steps/pickItem';
import { separator, type PickLook } from '../../ui/rows/picks';
import { costed, costText, type SelectToolsDeps } from './selectTools';
import type { KnownTool } from './offeredTools';
import type { ToolSets } from './toolSets';

const longestName = 60;

/** Switches to a named selection of tools, and saves and deletes them. */
export async function switchToolSet(deps: SelectToolsDeps, sets: ToolSets): Promise<void> {
  const { chatTools, selection, costs, questions } = deps;
  const all = chatTools.known;
  const cost = (tools: readonly KnownTool[]) => costText(costs.total(tools.flatMap(costed)));
  const row = (label: string, tools: readonly KnownTool[]) => ({
    label,
    description: `${vscode.l10n.t('{0} tools', tools.length)} · ${cost(tools)}`,
  });
  const named = sets.names.map((name) => {
    const tools = all.filter(sets.has(name));
    return { ...row(name, tools), run: () => selection.choose(all, tools) };
  });
  const now = all.filter(selection.offers);
  const items: (PickLook & { readonly run?: () => Promise<void> })[] = [
    { ...row(vscode.l10n.t('All Tools'), all), run: () => selection.choose(all, all) },
    ...named,
    separator(vscode.l10n.t('sets')),
    {
      ...row(vscode.l10n.t('Save as Set…'), now),
      run: async () => {
        const name = await askName(deps);
        if (name !== undefined) await sets.save(name, now);
      },
    },
    ...sets.names.map((name) => ({
      label: vscode.l10n.t('Delete the Set {0}', plainLabel(name)),
      run: () => sets.delete(name),
    })),
  ];
  const title = vscode.l10n.t('Switch Tool Set');
  const picked = await askOwn(questions, { server: noServer, what: title }, (stage) =>
    pickItem({ frame: { title, actions: [], stage }, items }),
  );
  if (typeof picked === 'object') await picked.run?.();
}

async function askName({ questions }: SelectToolsDeps): Promise<string | undefined> {
  const title = vscode.l10n.t('Save as Set');
  const name = await askOwn(questions, { server: noServer, what: title }, (stage) =>
    askLine({
      frame: { title, actions: [], stage },
      prompt: vscode.l10n.t('Name for the tools that models are offered now'),
      validate: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
    }),
  );
  return name?.trim().slice(0, longestName);
}
