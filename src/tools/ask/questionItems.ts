import * as vscode from 'vscode';
import { plainLabel, truncate } from '../../base/text/text';
import type { ToolCall } from '../../contracts/toolCalls';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import { argumentLines, maxLooked, wrapLine } from './argumentLines';
import type { Duration, Extent } from '../gate/approval';
import type { Concern } from '../gate/decide';
import { hintsOf } from '../gate/hints';
import { argumentsLook, changesLook, descriptionLook, type Look } from './looks';
import type { Question } from '../gate/question';

/** What the person wants to happen next. */
export type Decision =
  | { readonly kind: 'allow'; readonly duration?: Duration }
  | { readonly kind: 'edit' | 'deny' | 'denyWhy' }
  | { readonly kind: 'look'; readonly at: Look };

/** What choosing a row does: it decides, or changes the question. */
export type Choice = Decision | { readonly kind: 'nextExtent' } | { readonly kind: 'denyAll' };

/** A row of the confirmation; one without a choice is there to be read. */
export interface QuestionItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** How many rows a text takes before the rest of it is a step away. */
const maxArgumentRows = 9;
const maxAboutRows = 5;
const maxNameLength = 60;
const maxWarning = 1000;

/** The rows of the confirmation: what to know first, the arguments, the choices, what the server says. */
export function questionItems(
  { call, concerns }: Question,
  {
    extent,
    waiting,
    hasWorkspace,
  }: {
    readonly extent: Extent;
    readonly waiting: number;
    readonly hasWorkspace: boolean;
  },
): readonly QuestionItem[] {
  return [
    ...section(vscode.l10n.t('Before you decide'), concerns.flatMap(concernItems)),
    ...section(
      vscode.l10n.t('Arguments'),
      textItems(argumentLines(call.arguments), maxArgumentRows, argumentsLook(call)),
    ),
    ...section(vscode.l10n.t('Your decision'), choiceItems(extent, waiting, hasWorkspace)),
    ...section(vscode.l10n.t('{0} says', plainLabel(call.server.name, 30)), aboutItems(call)),
  ];
}

function choiceItems(extent: Extent, waiting: number, hasWorkspace: boolean): QuestionItem[] {
  const covers = extentLabel(extent);
  const allow = (label: string, duration: Duration): QuestionItem => ({
    label,
    description: covers,
    iconPath: new vscode.ThemeIcon('check-all'),
    choice: { kind: 'allow', duration },
  });
  return [
    row(vscode.l10n.t('Allow once'), 'check', { kind: 'allow' }),
    allow(vscode.l10n.t('Allow for this session'), 'session'),
    ...(hasWorkspace ? [allow(vscode.l10n.t('Allow in this workspace'), 'workspace')] : []),
    allow(vscode.l10n.t('Always allow'), 'always'),
    {
      label: vscode.l10n.t('Allow what: {0}', covers),
      description: vscode.l10n.t('choose to change'),
      iconPath: new vscode.ThemeIcon('arrow-swap'),
      choice: { kind: 'nextExtent' },
    },
    row(vscode.l10n.t('Edit arguments…'), 'edit', { kind: 'edit' }),
    // Shown whatever is typed, so that Enter always has something harmless to take.
    { ...row(vscode.l10n.t('Deny'), 'close', { kind: 'deny' }), alwaysShow: true },
    row(vscode.l10n.t('Deny and tell the model why…'), 'comment', { kind: 'denyWhy' }),
    ...(waiting > 1
      ? [row(vscode.l10n.t('Deny all {0}', waiting), 'close-all', { kind: 'denyAll' })]
      : []),
  ];
}

function row(label: string, icon: string, choice: Choice): QuestionItem {
  return { label, iconPath: new vscode.ThemeIcon(icon), choice };
}

/** What an allowance covers, in words. */
export function extentLabel(extent: Extent): string {
  switch (extent) {
    case 'tool':
      return vscode.l10n.t('this tool');
    case 'arguments':
      return vscode.l10n.t('this tool with these arguments');
    case 'server':
      return vscode.l10n.t('all tools of this server');
  }
}

function textItems(lines: readonly string[], maxRows: number, whole: Look): QuestionItem[] {
  const shown = lines.length > maxRows ? lines.slice(0, maxRows - 1) : lines;
  const items = shown.map((label): QuestionItem => ({ label, alwaysShow: true }));
  const hidden = lines.length - shown.length;
  if (hidden > 0)
    items.push({
      label: vscode.l10n.t('{0} more lines: show in the editor', hidden),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      alwaysShow: true,
      choice: { kind: 'look', at: whole },
    });
  return items;
}

function aboutItems(call: ToolCall): QuestionItem[] {
  const { description = '', annotations } = call.tool;
  const lines = truncate(description, maxLooked)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const items = textItems(lines.flatMap(wrapLine), maxAboutRows, descriptionLook(call));
  const hints = hintsOf(annotations);
  if (hints) items.push({ label: vscode.l10n.t('server says: {0}', hints), alwaysShow: true });
  return items;
}

function concernItems(concern: Concern): QuestionItem[] {
  switch (concern.kind) {
    case 'changed': {
      const what = concern.changes.map(({ part }) => part).join(', ');
      return [
        {
          label: vscode.l10n.t('Changed since you last saw it: {0}', what),
          description: vscode.l10n.t('choose to see the difference'),
          iconPath: new vscode.ThemeIcon('diff'),
          alwaysShow: true,
          choice: { kind: 'look', at: changesLook(concern.changes) },
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
      return warning(
        vscode.l10n.t('This conversation holds text from outside: your allowance is asked again'),
      );
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
  const [first = '', ...others] = wrapLine(plainLabel(text, maxWarning));
  const icon = new vscode.ThemeIcon('warning');
  return [
    { label: first, iconPath: icon, alwaysShow: true },
    ...others.map((label) => ({ label: `\u2003 ${label}`, alwaysShow: true })),
  ];
}

function section(label: string, items: readonly QuestionItem[]): readonly QuestionItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
