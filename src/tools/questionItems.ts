import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import { argumentLines, wrapLine } from './argumentLines';
import type { Duration, Extent } from './approval';
import type { Concern } from './decide';
import { hintsOf } from './hints';
import type { Change } from './identityChanges';
import type { Question } from './question';

/** What choosing a row does. */
export type Choice =
  | { readonly kind: 'allow'; readonly duration?: Duration }
  | { readonly kind: 'nextExtent' | 'edit' | 'deny' | 'denyWhy' | 'denyAll' | 'showArguments' }
  | { readonly kind: 'showChanges'; readonly changes: readonly Change[] };

/** A row of the confirmation; one without a choice is there to be read. */
export interface QuestionItem extends vscode.QuickPickItem {
  readonly choice?: Choice;
}

/** How many rows the arguments take before the rest is only a step away. */
const maxArgumentRows = 9;
const maxAboutRows = 6;

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
    ...section(vscode.l10n.t('Before you decide'), concerns.map(concernItem)),
    ...section(vscode.l10n.t('Arguments'), argumentItems(argumentLines(call.arguments))),
    ...section(vscode.l10n.t('Your decision'), choiceItems(extent, waiting, hasWorkspace)),
    ...section(
      vscode.l10n.t('{0} says', plainLabel(call.server.name)),
      aboutItems(call.tool.description, hintsOf(call.tool.annotations)),
    ),
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

function argumentItems(lines: readonly string[]): QuestionItem[] {
  const shown = lines.length > maxArgumentRows ? lines.slice(0, maxArgumentRows - 1) : lines;
  const hidden = lines.length - shown.length;
  return [
    ...shown.map((label) => ({ label, alwaysShow: true })),
    ...(hidden > 0
      ? [
          {
            label: `$(go-to-file) ${vscode.l10n.t('{0} more lines: show in the editor', hidden)}`,
            alwaysShow: true,
            choice: { kind: 'showArguments' } as const,
          },
        ]
      : []),
  ];
}

function aboutItems(description: string | undefined, hints: string): QuestionItem[] {
  const lines = (description ?? '').split('\n').filter((line) => line.trim() !== '');
  const rows = lines.flatMap(wrapLine).slice(0, maxAboutRows);
  if (hints) rows.push(vscode.l10n.t('server says: {0}', hints));
  return rows.map((label) => ({ label, alwaysShow: true }));
}

function concernItem(concern: Concern): QuestionItem {
  switch (concern.kind) {
    case 'changed': {
      const what = concern.changes.map(({ part }) => part).join(', ');
      return {
        label: `$(diff) ${vscode.l10n.t('Changed since you last saw it: {0}', what)}`,
        description: vscode.l10n.t('choose to see the difference'),
        alwaysShow: true,
        choice: { kind: 'showChanges', changes: concern.changes },
      };
    }
    case 'lookAlike': {
      const { same, server, tool } = concern.other;
      const name = plainLabel(server.name, 60);
      return warning(
        same
          ? vscode.l10n.t('{0} has a tool of the same name', name)
          : vscode.l10n.t('Looks like {0} of {1}', plainLabel(tool, 60), name),
      );
    }
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
        vscode.l10n.t('The arguments do not fit: {0}', plainLabel(concern.problems.join('. '))),
      );
  }
}

function warning(text: string): QuestionItem {
  return { label: `$(warning) ${text}`, alwaysShow: true };
}

function section(label: string, items: readonly QuestionItem[]): readonly QuestionItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
