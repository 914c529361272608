import * as vscode from 'vscode';
import { documentText, plainLabel, truncate } from '../../base/text/text';
import { type ToolCall, isOfModels } from '../../contracts/toolCalls';
import { maxLooked, roomAt, wrapIndented, wrapLine } from '../../base/text/rows';
import {
  type Coverage,
  type Duration,
  durationTraits,
  durations,
} from '../../contracts/questionOutcome';
import { canLast } from '../decide/approvals';
import { canBeRemembered, type Proposal } from './callQuestion';
import { argumentPicks } from '../../ui/rows/argumentRows';
import { wrappedRows, type PickLook } from '../../ui/rows/picks';
import { listText, namesText } from '../../base/translate';
import type { ToolAnnotations } from '../../mcp/protocol/types';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import type { CallLimit, Concern } from '../decide/decide';
import { jsonText } from '../../base/text/jsonText';
import { backToQuestion } from '../../ui/documents/choiceCommands';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { durationTexts } from '../../ui/decisionText';
import type { QuestionContext } from '../../ui/questions/question';
import type { Change } from '../decide/approval';

/** A detail of a question to look at in an editor: a text, or how it has changed. */
export interface DetailView {
  readonly name: string;
  readonly text: string;
  readonly before?: string;
}

/** Returns the full arguments of a call. */
export function argumentsView({ arguments: args }: ToolCall): DetailView {
  return { name: 'arguments.json', text: jsonText(args, 2) };
}

/** Returns a server's full description of a tool. */
function descriptionView({ tool }: ToolCall): DetailView {
  return { name: 'description.txt', text: tool.description ?? '' };
}

/** Returns how something that was allowed has changed. */
function changesView(changes: readonly Change[]): DetailView {
  const side = (when: 'before' | 'after') =>
    changes.map((change) => `${change.part}:\n${change[when]}\n`).join('\n');
  return { name: 'now.txt', text: side('after'), before: side('before') };
}

/** Shows a detail, with its hidden characters made visible, until it is closed or `signal` aborts. */
export async function showDetailView(
  { name, text, before }: DetailView,
  input: DocumentInput,
  { wanted: permit, signal }: Pick<QuestionContext, 'wanted' | 'signal'>,
): Promise<void> {
  await input.ask({
    name,
    text: documentText(text),
    ...(before !== undefined && {
      files: [{ name: 'allowed.txt', content: documentText(before) }],
      comparedWith: 'allowed.txt',
    }),
    readOnly: true,
    choices: [backToQuestion()],
    permit,
    signal,
  });
}

const limitTexts: Readonly<Record<CallLimit, () => string>> = {
  minute: () => vscode.l10n.t('The limit of calls per minute was reached'),
  answer: () => vscode.l10n.t('The limit of calls per answer was reached'),
};

/** The most rows of a warning, so that the decisions stay in view in a small window. */
const maxConcernRows = 4;
const maxNameLength = 60;
const maxWarning = 1000;

/** Returns the rows for all that the user should know before deciding on a call. */
function concernsItems(concerns: readonly Concern[]): readonly QuestionItem[] {
  const namesakes = concerns.filter(isNamesake);
  // The same is said once, whichever servers it is true of.
  const others = concerns.filter((one) => one !== namesakes[0] && isNamesake(one));
  return concerns
    .filter((one) => !others.includes(one))
    .flatMap((concern, index) => concernItems(concern, { namesakes, isFirst: index === 0 }));
}

type Namesake = Concern & { readonly kind: 'lookAlike' };

function isNamesake(concern: Concern): concern is Namesake {
  return concern.kind === 'lookAlike' && concern.other.same;
}

/** Returns the rows for something that the user should know before deciding on a call. */
function concernItems(
  concern: Concern,
  { namesakes, isFirst }: { readonly namesakes: readonly Namesake[]; readonly isFirst: boolean },
): QuestionItem[] {
  const warning = (text: string) => warningItems(text, isFirst ? conditionsTitle() : '');
  switch (concern.kind) {
    case 'changed': {
      const what = listText(
        concern.changes.map(({ part }) => part),
        vscode.l10n.t,
      );
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
      const names = namesakes.map(({ other }) => other.server.name);
      return warning(
        same
          ? vscode.l10n.t('Tool of the same name on: {0}', namesText(names, vscode.l10n.t))
          : vscode.l10n.t('Resembles {0} from {1}', truncate(tool, maxNameLength), name),
      );
    }
    case 'moreLookAlikes':
      return warning(vscode.l10n.t('and {0} more look like it', concern.count));
    case 'unlisted':
      return warning(vscode.l10n.t('The server lists no tool of this name'));
    case 'askList':
      return warning(vscode.l10n.t('A rule has this tool asked about each time'));
    case 'tainted':
      return warning(vscode.l10n.t('This conversation contains untrusted content. Confirm again'));
    case 'over':
      return warning(limitTexts[concern.limit]());
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

/** Returns the heading of what the user should know first. */
function conditionsTitle(): string {
  return vscode.l10n.t('Before you decide');
}

function warningItems(text: string, heading: string): QuestionItem[] {
  const all = wrappedRows('warning', plainLabel(text, maxWarning), heading);
  if (all.length <= maxConcernRows) return [...all];
  return [...all.slice(0, maxConcernRows - 1), { label: '\u2003 …', isLaidOut: true }];
}

/** Describes what a server claims about its tool, marked as its words; empty if it claims nothing. */
export function claimsOf(annotations: ToolAnnotations = {}): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const words = [
    word(readOnlyHint, vscode.l10n.t('only reads'), vscode.l10n.t('may change things')),
    word(destructiveHint, vscode.l10n.t('may delete or overwrite'), vscode.l10n.t('only adds')),
    word(idempotentHint, vscode.l10n.t('safe to repeat'), vscode.l10n.t('not safe to repeat')),
    word(openWorldHint, vscode.l10n.t('reaches outside systems'), vscode.l10n.t('stays local')),
  ];
  const claimed = words.filter((each) => each !== undefined);
  if (claimed.length === 0) return '';
  return vscode.l10n.t('The server claims: {0}', listText(claimed, vscode.l10n.t));
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
const maxArgumentRows = 6;
const maxMetaRows = 2;
const maxAboutRows = 5;

/** What the rows of the user's decision depend on, besides the call. */
interface ChoiceOptions {
  readonly coverage: Coverage;
  /** How many calls of the server are waiting, including this one. */
  readonly waiting: number;
  readonly hasWorkspace: boolean;
  /** True if the user left edited arguments as text that is not a JSON object yet. */
  readonly isUnfinished: boolean;
}

/** Returns the rows of the confirmation: what to know first, the arguments, the choices, and what the server says. */
export function questionItems(proposal: Proposal, options: ChoiceOptions): readonly QuestionItem[] {
  const { call, concerns } = proposal;
  return [
    ...section(conditionsTitle(), [...originItems(call), ...concernsItems(concerns)]),
    ...section(argumentsTitle(), argumentItems(call)),
    ...section(vscode.l10n.t('Your decision'), choiceItems(proposal, options)),
    ...section(aboutTitle(call), aboutItems(call)),
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

function argumentsTitle(): string {
  return vscode.l10n.t('Arguments');
}

function aboutTitle({ server }: ToolCall): string {
  return vscode.l10n.t('{0} says', plainLabel(server.name, 30));
}

function argumentItems(call: ToolCall): QuestionItem[] {
  const rows = argumentPicks(call.arguments, maxArgumentRows, argumentsTitle());
  const choice = { kind: 'look', at: argumentsView(call) } as const;
  return [
    ...(rows.length === 0 ? [{ label: vscode.l10n.t('No arguments') }] : []),
    ...rows.map((one) => ({ ...one, choice })),
    ...metaItems(call),
  ];
}

/** Shows what is sent beside the arguments. */
function metaItems({ meta }: ToolCall): readonly QuestionItem[] {
  if (!meta) return [];
  const choice = { kind: 'look', at: { name: '_meta.json', text: jsonText(meta, 2) } } as const;
  const rows = argumentPicks({ _meta: meta }, maxMetaRows, argumentsTitle());
  return rows.map((one) => ({ ...one, choice }));
}

function choiceItems(
  { call, concerns }: Proposal,
  { coverage, waiting, hasWorkspace, isUnfinished }: ChoiceOptions,
): QuestionItem[] {
  const { t } = vscode.l10n;
  const { origin, server } = call;
  const isRemembered = canBeRemembered(concerns);
  const lasts = canLast(call);
  const covers = coverageLabel(coverage);
  const allow = (label: string, duration: Duration): QuestionItem => ({
    label,
    description: covers,
    iconPath: new vscode.ThemeIcon('check-all'),
    choice: { kind: 'allow', duration },
  });
  const isOwn = origin.kind === 'user';
  const edit = row(t('Edit Arguments…'), 'edit', { kind: 'edit' });
  return [
    ...(isOwn
      ? [row(t('Run'), 'play', { kind: 'allow' })]
      : [
          { ...row(t('Deny'), 'close', { kind: 'deny' }), grantsNothing: true as const },
          row(t('Allow Once'), 'check', { kind: 'allow' }),
        ]),
    isUnfinished ? { ...edit, description: t('your unfinished text is kept') } : edit,
    ...durations.flatMap((duration) => {
      const { isKept, isOfWorkspace } = durationTraits[duration];
      const isOffered = isRemembered && (!isKept || lasts) && (!isOfWorkspace || hasWorkspace);
      return isOffered ? [allow(durationTexts[duration].allow(), duration)] : [];
    }),
    ...(isRemembered
      ? [
          {
            label: t('Applies to: {0}', covers),
            description: t('select to change'),
            iconPath: new vscode.ThemeIcon('arrow-swap'),
            choice: { kind: 'nextExtent' } as const,
          },
        ]
      : []),
    ...(isOfModels(origin)
      ? [row(t('Deny and Tell the Model Why…'), 'comment', { kind: 'denyWhy' })]
      : []),
    ...(waiting > 1
      ? [
          row(t('Deny All {0} from {1}', waiting, plainLabel(server.name, 60)), 'close-all', {
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
    lines.flatMap((line, index) =>
      wrapLine(line, roomAt({ heading: index === 0 ? aboutTitle(call) : '' })),
    ),
    maxAboutRows,
    descriptionView(call),
  );
  const claims = claimsOf(annotations);
  const claimed = claims === '' ? [] : wrapIndented(claims);
  return [...items, ...claimed.map((label) => ({ label, isLaidOut: true }))];
}

function section(label: string, items: readonly QuestionItem[]): readonly QuestionItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}
