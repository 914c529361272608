import * as vscode from 'vscode';
import { maxPickRows, plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { Servers } from '../../mcp/server';
import { toolNote } from '../../ui/entryIcon';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import type { Questions } from '../../ui/questions/questions';
import { checkRows, askRow } from '../../ui/steps/pickRows';
import type { ChatTools } from './chatTools';
import type { KnownTool, ToolSelection } from '../../offer/offeredTools';
import { groupByServer, type ToolCost, type ToolCosts } from './toolCosts';
import { type NextStep, chooseThroughSteps, nextSteps } from '../../ui/rows/nextSteps';
import type { PickLook } from '../../ui/rows/picks';
import type { UserAction } from '../../ui/questions/question';

type Item = PickLook & { readonly known?: KnownTool };

/** What selecting tools needs. */
export interface SelectToolsDeps {
  readonly servers: Servers;
  readonly chatTools: Pick<ChatTools, 'known'>;
  readonly selection: ToolSelection;
  readonly costs: ToolCosts;
  readonly questions: Pick<Questions, 'ask' | 'unseen' | 'isAsking' | 'workedElsewhere'>;
}

/**
 * Lets the user check the tools that models are offered, or an agent whose name is given; the selection is kept for the
 * workspace.
 */
export async function selectTools(
  action: UserAction,
  deps: SelectToolsDeps,
  agent?: string,
): Promise<void> {
  const { servers, selection, costs, questions } = deps;
  await servers.ready;
  const { t } = vscode.l10n;
  const { title, placeholder } =
    agent === undefined
      ? {
          title: t('Select Tools'),
          placeholder: t('Check the tools that models in this workspace are offered'),
        }
      : {
          title: t('Select Tools for {0}', plainLabel(agent, 60)),
          placeholder: t('Check the tools that this agent is offered in this workspace'),
        };
  const { known: all } =
    (await chooseThroughSteps(() => findKnown(action, title, deps), questions)) ?? {};
  if (!all) return;
  const shown = all.slice(0, maxPickRows);
  await costs.count(shown.flatMap(costed));
  const offers = selection.offers;
  const ofServer = groupByServer(all);
  const items: Item[] = [];
  for (const known of shown) {
    const { server, tool } = known;
    if (items.at(-1)?.known?.server !== server)
      items.push({
        label: `${plainLabel(server.name)} · ${costText(costs.total((ofServer.get(server) ?? []).flatMap(costed)))}`,
        kind: vscode.QuickPickItemKind.Separator,
      });
    const cost = costed(known).map((one) => costText(costs.of(one)));
    items.push({
      label: plainLabel(displayName(tool)),
      description: [plainLabel(server.name), ...cost].join(' · '),
      detail: plainLabel([toolNote(tool), tool.description].filter(Boolean).join(' · ')),
      picked: offers(known),
      known,
    });
  }
  const more = all.length - shown.length;
  if (more > 0)
    items.push({
      label: t('{0} more left as they are', more.toLocaleString(vscode.env.language)),
      kind: vscode.QuickPickItemKind.Separator,
    });
  const chosen = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) =>
      checkRows({
        frame: { title, actions: [], context },
        placeholder,
        items,
      }),
  );
  if (chosen) await selection.choose(entriesOf(items), entriesOf(chosen));
}

/** Returns the tools that there are, or the step that the user takes where there are none. */
async function findKnown(
  action: UserAction,
  title: string,
  { servers, chatTools: { known }, questions }: SelectToolsDeps,
): Promise<(Partial<NextStep> & { readonly known?: readonly KnownTool[] }) | undefined> {
  if (known.length > 0) return { known };
  // Computed first, because the question asked here would count as waiting, too.
  const items = nextSteps(servers, questions, ({ tools }) => [tools]);
  return askOwn(questions, { server: noServer, what: title, asked: action }, (context) =>
    askRow({ frame: { title, actions: [], context }, items }),
  );
}

/** Says what tools cost; an estimate is marked as one. */
export function costText({ tokens, isEstimate }: ToolCost): string {
  const count = tokens.toLocaleString(vscode.env.language);
  return isEstimate ? vscode.l10n.t('≈ {0} tokens', count) : vscode.l10n.t('{0} tokens', count);
}

/** Returns the parts of a tool that cost tokens; empty if the tool is never offered to models. */
export function costed({ name, definition }: KnownTool) {
  return definition ? [{ name, definition }] : [];
}

function entriesOf(items: readonly Item[]): readonly KnownTool[] {
  return items.flatMap(({ known }) => known ?? []);
}
