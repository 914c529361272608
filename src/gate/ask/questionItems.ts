import * as vscode from 'vscode';
import { hasHidden, plainLabel, truncate } from '../../base/text/text';
import type { ToolCall } from '../../contracts/toolCalls';
import {
  indentRest,
  maxLooked,
  rowText,
  rowWidth,
  widthOf,
  wrapLine,
  wrapShown,
} from '../../base/text/rows';
import type { Coverage, Duration } from '../decide/approval';
import { canLast } from '../decide/approvals';
import { type DetailView, argumentsView, changesView, descriptionView } from './detailView';
import type { Proposal } from './question';
import type { PickLook } from '../../ui/rows/picks';
import { listText } from '../../base/translate';
import type { JsonObject, ToolAnnotations } from '../../mcp/protocol/types';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import type { Concern } from '../decide/decide';
import { jsonText } from '../../base/text/jsonText';

/** One row of an argument; the last one has the `length` of the value, in characters, if its middle was left out. */
interface ArgumentRow {
  readonly label: string;
  readonly length?: number;
}

/** The part of the arguments that is shown in rows, and how much is not. */
interface ArgumentRows {
  readonly rows: readonly ArgumentRow[];
  /** Absent if the rows show everything. */
  readonly elsewhere?: {
    /** How many arguments have no row of their own. */
    readonly others: number;
    readonly characters: number;
    /** True if invisible characters are among them. */
    readonly hidden: boolean;
  };
}

/** How much of a row a name may take, in narrow characters. */
const nameWidth = 24;

/**
 * Lays out the first `max` arguments in at most `max` rows, at least one each, leaving out the middle of long
 * values and making hidden characters visible.
 */
export function argumentRows(args: JsonObject, max: number): ArgumentRows {
  const entries = Object.entries(args);
  const inRows = entries.slice(0, max);
  const rows: ArgumentRow[] = [];
  const left: string[] = [];
  for (const [index, [name, value]] of inRows.entries()) {
    const text = jsonText(value);
    // Each of the arguments that follow needs at least one row.
    const shown = inAtMost(max - rows.length - (inRows.length - index - 1), name, text);
    left.push(...shown.left);
    const last = shown.rows.length - 1;
    rows.push(
      ...indentRest(shown.rows).map((label, at) => ({
        label,
        ...(at === last && shown.left[1] && { length: text.length }),
      })),
    );
  }
  const others = entries.slice(max);
  for (const [name, value] of others) left.push(name, jsonText(value));
  const all = left.join('');
  if (all === '') return { rows };
  const elsewhere = { others: others.length, characters: all.length, hidden: hasHidden(all) };
  return { rows, elsewhere };
}

/** Lays out an argument in at most `max` rows; `left` is what was left out of its name and its value. */
function inAtMost(max: number, name: string, value: string) {
  const label = abridge(name, nameWidth);
  for (let count = max; ; count -= 1) {
    const shown = abridge(value, count * rowWidth - widthOf(label.text) - 2);
    const rows = wrapShown(`${label.text}: ${shown.text}`);
    // Rows that break after words hold less.
    if (rows.length <= max || count === 1) return { rows, left: [label.left, shown.left] };
  }
}

/** Fits a text into `room`, leaving out its middle if it is too long; `left` is what was left out. */
function abridge(text: string, room: number): { readonly text: string; readonly left: string } {
  const whole = text.length > 2 * room ? undefined : rowText(text);
  if (whole !== undefined && widthOf(whole) <= room) return { text: whole, left: '' };
  const half = Math.floor((room - 3) / 2);
  // Only the beginning and the end of an enormous text are looked at.
  const start = fitting(Array.from(text.slice(0, 2 * room)), half);
  const end = fitting(Array.from(text.slice(-2 * room)).toReversed(), half);
  const tail = Array.from(end).toReversed().join('');
  return {
    text: `${rowText(start)} … ${rowText(tail)}`,
    left: text.slice(start.length, text.length - tail.length),
  };
}

/** Returns as many of the first characters as fit into `room`. */
function fitting(characters: readonly string[], room: number): string {
  let text = '';
  let taken = 0;
  for (const character of characters) {
    taken += widthOf(rowText(character));
    if (taken > room) break;
    text += character;
  }
  return text;
}

/** The most rows of a warning, so that the decisions stay in view in a small window. */
const maxConcernRows = 4;
const maxNameLength = 60;
const maxWarning = 1000;

/** Returns the rows for something that the user should know before deciding on a call. */
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
          : vscode.l10n.t('Resembles {0} from {1}', truncate(tool, maxNameLength), name),
      );
    }
    case 'moreLookAlikes':
      return warning(vscode.l10n.t('and {0} more look like it', concern.count));
    case 'tainted':
      return warning(vscode.l10n.t('This conversation contains untrusted content. Confirm again'));
    case 'over':
      return warning(
        concern.limit === 'minute'
          ? vscode.l10n.t('The limit of calls per minute was reached')
          : vscode.l10n.t('The limit of calls per answer was reached'),
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
    { label: first, isLaidOut: true, iconPath: icon },
    ...others.map((label) => ({ label: `\u2003 ${label}`, isLaidOut: true })),
  ];
}

/** Describes what a server claims about its tool; empty if it claims nothing. */
function hintsOf(annotations: ToolAnnotations = {}): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    word(readOnlyHint, vscode.l10n.t('only reads'), vscode.l10n.t('may change things')),
    word(destructiveHint, vscode.l10n.t('may delete or overwrite'), vscode.l10n.t('only adds')),
    word(idempotentHint, vscode.l10n.t('safe to repeat'), vscode.l10n.t('not safe to repeat')),
    word(openWorldHint, vscode.l10n.t('reaches outside systems'), vscode.l10n.t('stays local')),
  ];
  const claimed = words.filter((each) => each !== undefined);
  return listText(claimed, vscode.l10n.t);
}

function word(hint: boolean | undefined, yes: string, no: string): string | undefined {
  return hint === undefined ? undefined : hint ? yes : no;
}

/** The choice that Enter makes if the user has selected no other, as set by the user. */
export type DefaultChoice = 'deny' | 'edit' | 'allow';

/** What the user wants to happen next. */
export type AnswerStep =
  | { readonly kind: 'allow'; readonly duration?: Duration }
  | { readonly kind: 'edit' | 'deny' | 'denyWhy' | 'back' }
  | { readonly kind: 'look'; readonly at: DetailView };

/** What selecting a row does: decide what happens next, or change something about the question. */
export type Choice = AnswerStep | { readonly kind: 'nextExtent' | 'denyAll' };

/** A row of the confirmation; one without a choice is only there to be read. */
export interface QuestionItem extends PickLook {
  readonly choice?: Choice;
}

/** The most rows of each part, so that the decisions stay in view in a small window. */
const maxArgumentRows = 4;
const maxAboutRows = 5;

/** Returns the rows of the confirmation: what to know first, the arguments, the choices, and what the server says. */
export function questionItems(
  { call, concerns }: Proposal,
  options: {
    readonly coverage: Coverage;
    /** How many calls of the server are waiting, including this one. */
    readonly waiting: number;
    readonly hasWorkspace: boolean;
    /** True if the user left edited arguments as text that is not a JSON object yet. */
    readonly isUnfinished: boolean;
  },
): readonly QuestionItem[] {
  return [
    ...section(vscode.l10n.t('Before you decide'), [
      ...originItems(call),
      ...concerns.flatMap(concernItems),
    ]),
    ...section(vscode.l10n.t('Arguments'), argumentItems(call)),
    ...section(vscode.l10n.t('Your decision'), choiceItems(call, options)),
    ...section(vscode.l10n.t('{0} says', plainLabel(call.server.name, 30)), aboutItems(call)),
  ];
}

/** True for the row that Enter takes. */
export function isDefaultChoice({ choice }: QuestionItem, wanted: DefaultChoice): boolean {
  return choice?.kind === wanted && (choice.kind !== 'allow' || !choice.duration);
}

function originItems({ origin }: ToolCall): QuestionItem[] {
  if (origin.kind !== 'app') return [];
  return [
    {
      label: vscode.l10n.t('An app of this server wants to run it'),
      description: plainLabel(origin.uri, 60),
      iconPath: new vscode.ThemeIcon('window'),
    },
  ];
}

function argumentItems(call: ToolCall): QuestionItem[] {
  const { rows, elsewhere } = argumentRows(call.arguments, maxArgumentRows);
  const choice = { kind: 'look', at: argumentsView(call) } as const;
  const items = rows.map(({ label, length }): QuestionItem => ({
    label,
    isLaidOut: true,
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
    ...(others > 0 ? [others === 1 ? t('1 more argument') : t('{0} more arguments', others)] : []),
    t('{0} characters not shown here', count),
    ...(hidden ? [t('⚠ some of them invisible')] : []),
  ].join(' · ');
}

function choiceItems(
  call: ToolCall,
  { coverage, waiting, hasWorkspace, isUnfinished }: Parameters<typeof questionItems>[1],
): QuestionItem[] {
  const { t } = vscode.l10n;
  const { origin, server } = call;
  const lasts = canLast(call);
  const covers = coverageLabel(coverage);
  const allow = (label: string, duration: Duration): QuestionItem => ({
    label,
    description: covers,
    iconPath: new vscode.ThemeIcon('check-all'),
    choice: { kind: 'allow', duration },
  });
  const isOwn = origin.kind === 'user';
  const isOfModel = origin.kind === 'chat' || origin.kind === 'editor';
  const edit = row(t('Edit Arguments…'), 'edit', { kind: 'edit' });
  return [
    ...(isOwn
      ? [row(t('Run'), 'play', { kind: 'allow' })]
      : [
          { ...row(t('Deny'), 'close', { kind: 'deny' }), grantsNothing: true as const },
          row(t('Allow Once'), 'check', { kind: 'allow' }),
        ]),
    isUnfinished ? { ...edit, description: t('your unfinished text is kept') } : edit,
    allow(t('Allow for This Session'), 'session'),
    ...(hasWorkspace && lasts ? [allow(t('Allow in This Workspace'), 'workspace')] : []),
    ...(lasts ? [allow(t('Always Allow'), 'always')] : []),
    {
      label: t('Applies to: {0}', covers),
      description: t('select to change'),
      iconPath: new vscode.ThemeIcon('arrow-swap'),
      choice: { kind: 'nextExtent' },
    },
    ...(isOfModel ? [row(t('Deny and Tell the Model Why…'), 'comment', { kind: 'denyWhy' })] : []),
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

/** Describes what an approval covers. */
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
  const items = shown.map((label): QuestionItem => ({ label, isLaidOut: true }));
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

function section(label: string, items: readonly QuestionItem[]): readonly QuestionItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
