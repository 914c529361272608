import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { documentText, plainLabel } from '../base/text/text';
import type { DocumentInput } from '../ui/documents/documentInput';
import { saveExport } from '../ui/files/saveExport';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Duration } from '../contracts/questionOutcome';
import { durationTexts } from '../ui/decisionText';
import type { Approval } from '../gate/decide/approval';
import type { Approvals } from '../gate/decide/approvals';
import { coverageLabel } from '../gate/ask/questionItems';
import { type NextStep, nextStep, takeStep } from '../ui/rows/nextSteps';
import { type PickLook, createPick, safeRows, takenRow } from '../ui/rows/picks';
import { doubleClickMs } from '../ui/rows/rowClicks';
import { jsonText } from '../base/text/jsonText';
import { displayName } from '../mcp/protocol/types';
import type { ToolNode } from './toolSection';
import type { UserAction } from '../ui/questions/question';

/** Names the server of an approval and, unless it covers all of them, the tool. */
function approvalSubject({ server, tool }: Approval): string {
  return tool === undefined ? server.name : `${server.name} › ${tool}`;
}

/**
 * Says what app or agent an approval is for, when it was given, and whether it still applies, in one phrase or sentence
 * each.
 */
function approvalFacts({ app, agent, givenAt, withdrawnAt }: Approval): readonly string[] {
  const { t } = vscode.l10n;
  return [
    ...(app ? [t('For the app {0}', app.uri)] : []),
    ...(agent ? [t('For the agent {0}', agent.label)] : []),
    t('Given {0}', new Date(givenAt).toLocaleString(vscode.env.language)),
    ...(withdrawnAt === undefined ? [] : [t('no longer applies: what you allowed has changed')]),
  ];
}

/** Describes everything that an approval covers, any change to which makes it void; the text is not sanitized. */
function approvalText(approval: Approval): string {
  const { t } = vscode.l10n;
  const { coverage, duration, arguments: args, identity } = approval;
  const lines = [
    approvalSubject(approval),
    '',
    t('Covers: {0}', coverageLabel(coverage)),
    durationTexts[duration].heading(),
    ...approvalFacts(approval),
    ...part(t('Arguments'), args?.shown),
    '',
    t('It applies as long as these stay the same:'),
    ...part(t('Launch'), identity.launch),
    ...part(t('Instructions'), identity.instructions),
    ...('definition' in identity
      ? part(t('Tool'), identity.definition)
      : part(t('Tools'), Object.keys(identity.tools))),
  ];
  return `${lines.join('\n')}\n`;
}

function part(heading: string, value: unknown): readonly string[] {
  if (value === undefined) return [];
  return [
    '',
    vscode.l10n.t('{0}:', heading),
    typeof value === 'string' ? value : jsonText(value, 2),
  ];
}

function covers({ server, tool }: Approval, of: ToolNode): boolean {
  return server.id === of.server.id && (tool === undefined || tool === of.tool.name);
}

type Item = PickLook & Partial<NextStep> & { readonly approval?: Approval };

/**
 * Lists every approval, or those that cover the tool of a row: selecting one explains it, its button withdraws it, and
 * the title's buttons export or withdraw all that are listed.
 */
export function manageApprovals(
  action: UserAction,
  parts: {
    readonly approvals: Approvals;
    readonly input: DocumentInput;
    readonly writer: WorkspaceWriter;
  },
  of?: ToolNode,
): void {
  const { approvals, input, writer } = parts;
  const store = new DisposableStore();
  const pick = store.add(createPick<Item>(action));
  const exportButton: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('export'),
    tooltip: vscode.l10n.t('Export…'),
  };
  const withdrawAll: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('clear-all'),
    tooltip: vscode.l10n.t('Withdraw All'),
  };
  const listed = () => approvals.all.filter((approval) => !of || covers(approval, of));
  const update = () => {
    const all = listed();
    const isEmpty = all.length === 0;
    pick.items = safeRows<Item>(isEmpty ? [runStep(of)] : itemsOf(all));
    pick.placeholder = isEmpty
      ? ''
      : vscode.l10n.t('Select an approval to see exactly what it covers');
    pick.buttons = isEmpty ? [] : [exportButton, withdrawAll];
  };
  pick.title = of
    ? vscode.l10n.t('Approvals of {0}', plainLabel(displayName(of.tool), 60))
    : vscode.l10n.t('Tool Approvals');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  store.add(approvals.onDidChange(update));
  store.add(
    pick.onDidTriggerButton(async (button) => {
      if (button === exportButton) return exportApprovals(action, listed(), writer);
      for (const approval of listed()) await approvals.withdraw(approval);
      return undefined;
    }),
  );
  let notBefore = -Infinity;
  store.add(
    pick.onDidTriggerItemButton(async ({ item: { approval } }) => {
      // The next row moves under the pointer, and the second click of a double click is not meant for it.
      if (!approval || Date.now() < notBefore) return;
      notBefore = Infinity;
      try {
        await approvals.withdraw(approval);
      } finally {
        notBefore = Date.now() + doubleClickMs;
      }
    }),
  );
  store.add(
    pick.onDidAccept(async () => {
      const { approval, next } = takenRow(pick) ?? {};
      if (!approval && next === undefined) return;
      store.dispose();
      if (next !== undefined) await takeStep(next);
      if (approval) await explain(action, approval, approvals, input);
    }),
  );
  store.add(pick.onDidHide(() => store.dispose()));
  update();
  pick.show();
}

/** Returns the row shown if nothing is approved: running a tool asks the question in which approvals are given. */
function runStep(of: ToolNode | undefined): NextStep {
  const { t } = vscode.l10n;
  const why = of
    ? t('This tool is not approved. Every call is confirmed')
    : t('No tool is approved. Every call is confirmed');
  return nextStep(t('Run MCP Tool…'), 'play', Command.runTool, why);
}

function itemsOf(approvals: readonly Approval[]): readonly Item[] {
  let duration: Duration | undefined;
  return approvals.flatMap((approval): Item[] => {
    const heading: Item[] =
      approval.duration === duration
        ? []
        : [
            {
              label: durationTexts[approval.duration].heading(),
              kind: vscode.QuickPickItemKind.Separator,
            },
          ];
    duration = approval.duration;
    return [...heading, item(approval)];
  });
}

function item(approval: Approval): Item {
  const { coverage, withdrawnAt, arguments: args } = approval;
  return {
    label: plainLabel(approvalSubject(approval)),
    description: coverageLabel(coverage),
    detail: plainLabel(
      [...approvalFacts(approval), ...(args ? [JSON.stringify(args.shown)] : [])].join(' · '),
    ),
    iconPath: new vscode.ThemeIcon(withdrawnAt === undefined ? 'pass' : 'circle-slash'),
    buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Withdraw') }],
    approval,
  };
}

async function explain(
  action: UserAction,
  approval: Approval,
  approvals: Approvals,
  input: DocumentInput,
): Promise<void> {
  const { choice } = await input.ask({
    name: 'approval.txt',
    text: documentText(approvalText(approval)),
    permit: action,
    readOnly: true,
    choices: [
      {
        id: 'withdraw',
        title: `$(trash) ${vscode.l10n.t('Withdraw')}`,
        command: Command.withdrawApproval,
      },
    ],
  });
  if (choice === 'withdraw') await approvals.withdraw(approval);
}

async function exportApprovals(
  action: UserAction,
  approvals: readonly Approval[],
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  await saveExport(action, {
    title: t('Export Tool Approvals'),
    name: 'tool-approvals.json',
    filters: { JSON: ['json'] },
    writer,
    exported: () => ({
      text: `${JSON.stringify(approvals, undefined, 2)}\n`,
      told: (file) =>
        approvals.length === 1
          ? t('Saved 1 approval to {0}.', file)
          : t('Saved {0} approvals to {1}.', String(approvals.length), file),
    }),
  });
}
