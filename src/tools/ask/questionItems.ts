import * as vscode from 'vscode';
import { plainLabel, truncate } from '../../base/text/text';
import type { ToolCall } from '../../contracts/toolCalls';
import { maxLooked, wrapLine } from '../../base/text/rows';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import { argumentRows, type ArgumentRows } from './argumentRows';
import type { Duration, Coverage } from '../gate/approval';
import type { Concern } from '../gate/decide';
import { hintsOf } from '../gate/hints';
import { argumentsView, changesView, descriptionView, type DetailView } from './detailView';
import type { Question } from '../gate/question';

/** The choice that Enter makes when nothing was chosen, as the user set it. */
export type DefaultChoice = 'deny' | 'edit' | 'allow';

/** What the user wants to happen next. */
export type Decision =
  | { readonly kind: 'allow'; readonly duration?: Duration }
  | { readonly kind: 'edit' | 'deny' | 'denyWhy' }
  | { readonly kind: 'look'; readonly at: DetailView };

/** What choosing a row does: it says what happens next, or changes something of the question. */
export type Choice = Decision | { readonly kind: 'nextExtent' | 'denyAll' };

/** A row of the confirmation; one without a choice is there to be read. */
export interface QuestionItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** How many rows each part takes, so that the decisions stay in view in a small window. */
const maxConcernRows = 3;
const maxArgumentRows = 4;
const maxAboutRows = 5;
const maxNameLength = 60;
const maxWarning = 1000;

/** The rows of the confirmation: what to know first, the arguments, the choices, what the server says. */
export function questionItems(
  { call, concerns }: Question,
  {
    coverage,
    waiting,
    hasWorkspace,
  }: {
    readonly coverage: Coverage;
    /** How many calls of the server wait, this one included. */
    readonly waiting: number;
    readonly hasWorkspace: boolean;
  },
): readonly QuestionItem[] {
  return [
    ...section(vscode.l10n.t('Before you decide'), concerns.flatMap(concernItems)),
    ...section(vscode.l10n.t('Arguments'), argumentItems(call)),
    ...section(vscode.l10n.t('Your decision'), choiceItems(call, coverage, waiting, hasWorkspace)),
    ...section(vscode.l10n.t('{0} says', plainLabel(call.server.name, 30)), aboutItems(call)),
  ];
}

/** True for the row that Enter takes. */
export function isDefaultChoice({ choice }: QuestionItem, wanted: DefaultChoice): boolean {
  return choice?.kind === wanted && (choice.kind !== 'allow' || !choice.duration);
}

function argumentItems(call: ToolCall): QuestionItem[] {
  const { rows, elsewhere } = argumentRows(call.arguments, maxArgumentRows);
  const choice = { kind: 'look', at: argumentsView(call) } as const;
  const items = rows.map(({ label, length }): QuestionItem => ({
    label,
    ...(length !== undefined && {
      description: vscode.l10n.t('{0} characters', length.toLocaleString(vscode.env.language)),
    }),
    choice,
  }));
  if (rows.length === 0) return [{ label: vscode.l10n.t('No arguments') }];
  if (!elsewhere) return items;
  return [
    ...items,
    {
      ...row(vscode.l10n.t('Show All'), 'go-to-file', choice),
      description: elsewhereText(elsewhere),
    },
  ];
}

function elsewhereText({
  others,
  characters,
  hidden,
}: NonNullable<ArgumentRows['elsewhere']>): string {
  const { t } = vscode.l10n;
  const count = characters.toLocaleString(vscode.env.language);
  return [
    ...(others > 0 ? [t('{0} more arguments', others)] : []),
    t('{0} characters not shown here', count),
    ...(hidden ? [t('⚠ some of them invisible')] : []),
  ].join(' · ');
}

function choiceItems(
  { origin, server }: ToolCall,
  coverage: Coverage,
  waiting: number,
  hasWorkspace: boolean,
): QuestionItem[] {
  const { t } = vscode.l10n;
  const covers = coverageLabel(coverage);
  const allow = (label: string, duration: Duration): QuestionItem => ({
    label,
    description: covers,
    iconPath: new vscode.ThemeIcon('check-all'),
    choice: { kind: 'allow', duration },
  });
  const isOwn = origin.kind === 'person';
  return [
    row(t('Deny'), 'close', { kind: 'deny' }),
    row(t('Allow Once'), 'check', { kind: 'allow' }),
    row(t('Edit Arguments…'), 'edit', { kind: 'edit' }),
    allow(t('Allow for This Session'), 'session'),
    ...(hasWorkspace ? [allow(t('Allow in This Workspace'), 'workspace')] : []),
    allow(t('Always Allow'), 'always'),
    {
      label: t('Applies to: {0}', covers),
      description: t('select to change'),
      iconPath: new vscode.ThemeIcon('arrow-swap'),
      choice: { kind: 'nextExtent' },
    },
    ...(isOwn ? [] : [row(t('Deny and Tell the Model Why…'), 'comment', { kind: 'denyWhy' })]),
    ...(waiting > 1
      ? [
          row(t('Decline All {0} from {1}', waiting, plainLabel(server.name, 60)), 'close-all', {
            kind: 'denyAll',
          }),
        ]
      : []),
  ];
}

function row(label: string, icon: string, choice: Choice): QuestionItem {
  return { label, iconPath: new vscode.ThemeIcon(icon), choice };
}

/** What an allowance covers, in words. */
export function coverageLabel(coverage: Coverage): string {
  switch (coverage) {
    case 'tool':
      return vscode.l10n.t('this tool');
    case 'arguments':
      return vscode.l10n.t('this tool with these arguments');
    case 'server':
      return vscode.l10n.t('all tools of this server');
  }
}

function textItems(lines: readonly string[], maxRows: number, whole: DetailView): QuestionItem[] {
  const shown = lines.length > maxRows ? lines.slice(0, maxRows - 1) : lines;
  const items = shown.map((label): QuestionItem => ({ label }));
  const hidden = lines.length - shown.length;
  if (hidden > 0)
    items.push({
      label: vscode.l10n.t('Show All ({0} more lines)', hidden),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      choice: { kind: 'look', at: whole },
    });
  return items;
}

function aboutItems(call: ToolCall): QuestionItem[] {
  const { description = '', annotations } = call.tool;
  const lines = truncate(description, maxLooked)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const items = textItems(
    lines.flatMap((line) => wrapLine(line)),
    maxAboutRows,
    descriptionView(call),
  );
  const hints = hintsOf(annotations);
  if (hints) items.push({ label: vscode.l10n.t('The server claims: {0}', hints) });
  return items;
}

function concernItems(concern: Concern): QuestionItem[] {
  switch (concern.kind) {
    case 'changed': {
      const what = concern.changes.map(({ part }) => part).join(', ');
      return [
        {
          label: vscode.l10n.t('Changed since you last saw it: {0}', what),
          description: vscode.l10n.t('select to see the difference'),
          iconPath: new vscode.ThemeIcon('diff'),
          choice: { kind: 'look', at: changesView(concern.changes) },
        },
      ];
    }
    case 'lookAlike': {
      const { same, server, tool } = concern.other;
      const name = truncate(server.name, maxNameLength);
      return warning(
        same
          ? vscode.l10n.t('{0} has a tool of the same name', name)
          : vscode.l10n.t('Looks like {0} of {1}', truncate(tool, maxNameLength), name),
      );
    }
    case 'moreLookAlikes':
      return warning(vscode.l10n.t('and {0} more look like it', concern.count));
    case 'tainted':
      return warning(vscode.l10n.t('This conversation contains untrusted content. Confirm again'));
    case 'over':
      return warning(
        concern.limit === 'minute'
          ? vscode.l10n.t('The limit of calls in one minute is reached')
          : vscode.l10n.t('The limit of calls in one answer is reached'),
      );
    case 'arguments':
      return warning(
        vscode.l10n.t(
          'Arguments do not match the tool: {0}',
          problemsText(concern.problems, vscode.l10n.t),
        ),
      );
    case 'formats':
      return warning(
        vscode.l10n.t('Unexpected format: {0}', problemsText(concern.problems, vscode.l10n.t)),
      );
    case 'unchecked':
      return warning(
        vscode.l10n.t('Arguments not checked: {0}', uncheckedText(concern.reason, vscode.l10n.t)),
      );
  }
}

function warning(text: string): QuestionItem[] {
  const all = wrapLine(plainLabel(text, maxWarning));
  const [first = '', ...others] =
    all.length > maxConcernRows ? [...all.slice(0, maxConcernRows - 1), '…'] : all;
  const icon = new vscode.ThemeIcon('warning');
  return [
    { label: first, iconPath: icon },
    ...others.map((label) => ({ label: `\u2003 ${label}` })),
  ];
}

function section(label: string, items: readonly QuestionItem[]): readonly QuestionItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
