import * as vscode from 'vscode';
import { plainLabel, truncateMiddle } from '../../base/text/text';
import { kindOf } from '../../mcp/launch/launchKinds';
import { wrapIndented } from '../../base/text/rows';
import {
  type Launch,
  launchChanges,
  launchLine,
  launchSections,
  launchWarnings,
  shortLine,
} from '../launch/launch';
import { separator, type PickLook } from '../../ui/rows/picks';
import { shownPlace } from '../configLayer';
import type { LocatedDefinition } from '../mergeLayers';
import type { Decline } from './declinedLaunches';

/** A launch that waits for a decision; `text` describes it without secrets, `before` what was trusted earlier. */
export interface TrustQuestion {
  readonly launch: Launch;
  readonly server: LocatedDefinition;
  readonly text: string;
  readonly before: string | undefined;
}

/** The user's answer about a launch; `withdrawn` if there is none. */
export type TrustAnswer = 'start' | Decline | 'withdrawn';

/** A launch in the list of those waiting. */
export interface PendingLaunch {
  readonly question: TrustQuestion;
  readonly decide: (answer: TrustAnswer) => void;
  /** Aborts when nobody wants the server to start anymore. */
  readonly signal: AbortSignal;
  isChecked: boolean;
  /** True once the user has checked or unchecked rows of a list with it: others may have been added unseen. */
  isListed: boolean;
}

/** What choosing a row does. */
export type TrustChoice =
  | { readonly kind: 'trust' | 'notNow' | 'notHere' | 'checkAll' | 'uncheckAll' }
  | {
      readonly kind: 'check' | 'show' | 'changes' | 'configuration';
      readonly launch: PendingLaunch;
    };

/** A row of the question; without a choice, it is only there to be read. */
export interface TrustItem extends PickLook {
  readonly choice?: TrustChoice;
}

/** At most this many rows are above the decisions, to keep those in view in a small window; the rest is a step away. */
const maxRows = 9;
/** At most this many of them say what has changed, and what is worth knowing. */
const maxChangeRows = 3;
const maxWarningRows = 4;
/** At most this many rows say what has changed for each launch in a list. */
const maxListedChanges = 2;
/** At least this many rows show the launch itself. */
const minLaunchRows = 2;
/** The longest place of a launch that is shown in full, about two rows: of others, the middle is left out. */
const maxPlaceLength = 100;
/** No place is longer that has a path of a file system, in UTF-16 units. */
const longestPlace = 10_000;
/** The longest command line that the rows of the list show in full. */
const maxLineLength = 80;

/** Returns the title of the question about all waiting launches. */
export function trustTitle(pending: readonly PendingLaunch[]): string {
  const { t } = vscode.l10n;
  const [first] = pending;
  if (!first || pending.length > 1) return t('{0} servers wait to be started', pending.length);
  const { launch, before } = first.question;
  const name = plainLabel(launch.serverName, 60);
  const { isProcess } = kindOf(launch.config);
  if (before !== undefined)
    return isProcess
      ? t("{0}'s command changed. Start the new one?", name)
      : t("{0}'s address changed. Connect to the new one?", name);
  return isProcess
    ? t('Start "{0}"? It runs this command on your machine.', name)
    : t('Start "{0}"? It connects to this address.', name);
}

/** Returns the rows about a single launch, or the list of several. */
export function trustItems(pending: readonly PendingLaunch[]): readonly TrustItem[] {
  const [first] = pending;
  return first && pending.length === 1 ? singleItems(first) : listItems(pending);
}

/** True if the question about `count` launches does not show all of this one. */
export function isCut(question: TrustQuestion, count: number): boolean {
  const { launch, before } = question;
  if (count === 1) return shownRows(question).hidden > 0;
  const line = launchLine(launch.config);
  const isLong = line.length > maxLineLength || launchWarnings(launch, vscode.l10n.t).length > 0;
  return before !== undefined || isLong || hasMore(launch);
}

/** True if a launch has more to it than its line says. */
function hasMore(launch: TrustQuestion['launch']): boolean {
  return launchSections(launch, vscode.l10n.t).some(({ isUsual }) => !isUsual);
}

/** Returns its warnings and changes, and as much of the launch itself as fits. */
function shownRows(question: TrustQuestion) {
  const { launch, before } = question;
  const changes = changeRows(question);
  const warnings = launchWarnings(launch, vscode.l10n.t).map((warning) =>
    wrapIndented(warning, { hasIcon: true }),
  );
  const changed = changes.slice(0, maxChangeRows);
  const warned = fitting(warnings, maxWarningRows);
  // A launch that changed is still in the same place.
  const place = before === undefined ? placeRows(launch.place) : [];
  const others =
    place.length + changed.length + warned.flat().length + (changed.length > 0 ? 1 : 0);
  const room = Math.max(minLaunchRows, maxRows - others);
  const rows = launchRows(launch);
  const isWhole =
    rows.length <= room && changed.length === changes.length && warned.length === warnings.length;
  const whole = isWhole ? rows : rows.slice(0, room - 1);
  const left = rows.length - whole.length + changes.length - changed.length;
  return {
    place,
    changed,
    warned,
    whole,
    hidden: isWhole ? 0 : left + warnings.flat().length - warned.flat().length,
  };
}

/** Returns the first of them that together have at most `max` rows. */
function fitting(all: readonly (readonly string[])[], max: number): readonly (readonly string[])[] {
  let taken = 0;
  const end = all.findIndex((rows) => (taken += rows.length) > max);
  return end < 0 ? all : all.slice(0, end);
}

function placeTitle(): string {
  return vscode.l10n.t('Configured in');
}

function changedTitle(): string {
  return vscode.l10n.t('Changed since you trusted it');
}

function placeRows(place: string): readonly string[] {
  const shown = plainLabel(shownPlace(place), longestPlace);
  return wrapIndented(truncateMiddle(shown, maxPlaceLength), { heading: placeTitle() });
}

function changeRows({ text, before }: TrustQuestion): readonly string[] {
  if (before === undefined) return [];
  const { added, removed } = launchChanges(before, text);
  const rows = [
    ...added.map((line) => `+ ${line}`),
    ...removed.map((line) => `\u2212 ${line}`),
  ].flatMap((line, index) => wrapIndented(line, { heading: index === 0 ? changedTitle() : '' }));
  return rows.length > 0 ? rows : [vscode.l10n.t('A secret or another input has changed')];
}

function singleItems(pending: PendingLaunch): readonly TrustItem[] {
  const { t } = vscode.l10n;
  const { question } = pending;
  const { before } = question;
  const { place, changed, warned, whole, hidden } = shownRows(question);
  const cut = hidden > 0;
  let section: string | undefined;
  return [
    ...warned.flatMap((rows) =>
      rows.map((label, index) => ({
        ...lineRow(label),
        ...(index === 0 && { iconPath: new vscode.ThemeIcon('warning') }),
      })),
    ),
    ...(before === undefined
      ? []
      : [
          separator(changedTitle()),
          ...changed.map(lineRow),
          row(t('Show What Changed'), 'diff', { kind: 'changes', launch: pending }),
        ]),
    ...whole.flatMap(({ title, label }): TrustItem[] => {
      // Next to the first row of a section, its title takes no row of its own.
      const heading = title === section ? [] : [separator(title)];
      section = title;
      return [...heading, lineRow(label)];
    }),
    ...(place.length > 0 ? [separator(placeTitle()), ...place.map(lineRow)] : []),
    ...(cut
      ? [
          row(t('Show All ({0} more lines)', hidden), 'go-to-file', {
            kind: 'show',
            launch: pending,
          }),
        ]
      : []),
    separator(t('Your decision')),
    { ...row(t('Not Now'), 'circle-slash', { kind: 'notNow' }), grantsNothing: true as const },
    row(cut ? t('Review and Start…') : t('Trust and Start'), 'shield', { kind: 'trust' }),
    row(t('Not for This Workspace'), 'eye-closed', { kind: 'notHere' }),
    row(t('Show Configuration'), 'go-to-file', { kind: 'configuration', launch: pending }),
    ...(cut ? [] : [row(t('Show in Editor'), 'link-external', { kind: 'show', launch: pending })]),
  ];
}

function listItems(pending: readonly PendingLaunch[]): readonly TrustItem[] {
  const { t } = vscode.l10n;
  const checked = pending.filter(({ isChecked }) => isChecked);
  const count = checked.length;
  const start = checked.some(({ question }) => isCut(question, pending.length))
    ? t('Review and Start Checked ({0})…', count)
    : t('Start Checked ({0})', count);
  return [
    separator(t('Your decision')),
    {
      ...row(t('Not Now for All'), 'circle-slash', { kind: 'notNow' }),
      grantsNothing: true as const,
    },
    // There from the beginning: rows that are added later would move those below away from the pointer.
    {
      ...row(start, 'shield', { kind: 'trust' }),
      ...(count > 0 && count < pending.length && { description: t('Not Now for the others') }),
    },
    row(t('Not for This Workspace: Checked ({0})', count), 'eye-closed', { kind: 'notHere' }),
    count === pending.length
      ? row(t('Uncheck All ({0})', count), 'clear-all', { kind: 'uncheckAll' })
      : row(t('Check All ({0})', pending.length), 'check-all', { kind: 'checkAll' }),
    separator(t('Select servers to check them')),
    ...inListOrder(pending).flatMap((launch): TrustItem[] => {
      const { config, serverName, place } = launch.question.launch;
      const [warning] = launchWarnings(launch.question.launch, t);
      const lines = wrapIndented(shortLine(config, maxLineLength), { hasIcon: true });
      const changes = changeRows(launch.question).slice(0, maxListedChanges);
      const notes = [
        ...(changes.length > 0 ? [changedTitle()] : []),
        ...(warning === undefined ? [] : [warning]),
      ].join(' · ');
      return [
        {
          label: plainLabel(serverName, 60),
          // The address of its file is one step further.
          description: plainLabel(place.split('\n')[0] ?? '', 60),
          ...(notes !== '' && { detail: plainLabel(notes, maxLineLength) }),
          iconPath: new vscode.ThemeIcon(launch.isChecked ? 'pass-filled' : 'circle-large-outline'),
          choice: { kind: 'check', launch },
        },
        ...lines.map((line, at): TrustItem => ({
          ...lineRow(`\u2003${line}`),
          ...(at === lines.length - 1 &&
            isCut(launch.question, pending.length) && {
              description: t('select to see all of it'),
            }),
          choice: { kind: 'show', launch },
        })),
        ...changes.map((change): TrustItem => ({
          ...lineRow(`\u2003${change}`),
          choice: { kind: 'changes', launch },
        })),
      ];
    }),
  ];
}

/** Sorts launches by the names of their servers, no matter which was ready first. */
export function inListOrder(pending: readonly PendingLaunch[]): readonly PendingLaunch[] {
  const name = ({ question }: PendingLaunch) => question.launch.serverName;
  return pending.toSorted((a, b) => name(a).localeCompare(name(b), undefined, { numeric: true }));
}

function launchRows(
  launch: TrustQuestion['launch'],
): readonly { readonly title: string; readonly label: string }[] {
  return launchSections(launch, vscode.l10n.t).flatMap(({ title, lines }) =>
    lines
      .flatMap((line, index) => wrapIndented(line, { heading: index === 0 ? title : '' }))
      .map((label) => ({ title, label })),
  );
}

function lineRow(label: string): TrustItem {
  return { label, isLaidOut: true };
}

function row(label: string, icon: string, choice: TrustChoice): TrustItem {
  return { label, iconPath: new vscode.ThemeIcon(icon), choice };
}
