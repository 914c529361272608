import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { wrapLine } from '../../base/text/rows';
import { launchLine, launchText, launchWarnings } from '../launch/launch';
import type { PendingLaunch, TrustQuestion } from './trustQuestion';

/** What choosing a row does. */
export type TrustChoice =
  | { readonly kind: 'trust' | 'notNow' | 'notHere' }
  | { readonly kind: 'check' | 'show' | 'configuration'; readonly launch: PendingLaunch };

/** A row of the question; one without a choice is there to be read. */
export interface TrustItem extends vscode.QuickPickItem {
  readonly choice?: TrustChoice;
}

/** How many rows show a launch, so that the decisions stay in view; the rest is a step away. */
const maxLaunchRows = 9;
/** How much of the place of a launch is shown, in at most two rows. */
const maxPlaceLength = 120;
/** What of a command line a row of the list shows for certain. */
const maxLineLength = 80;

/** The title of the question about all that waits. */
export function trustTitle(pending: readonly PendingLaunch[]): string {
  const { t } = vscode.l10n;
  const [first] = pending;
  if (!first || pending.length > 1) return t('{0} servers wait to be started', pending.length);
  const { launch, before } = first.question;
  const name = plainLabel(launch.serverName, 60);
  if (before !== undefined) return t("{0}'s command changed. Start the new one?", name);
  return launch.config.type === 'stdio'
    ? t('Start "{0}"? It runs this command on your machine.', name)
    : t('Start "{0}"? It connects to this address.', name);
}

/** The rows about one launch, or the list of several. */
export function trustItems(pending: readonly PendingLaunch[]): readonly TrustItem[] {
  const [first] = pending;
  return first && pending.length === 1 ? singleItems(first) : listItems(pending);
}

/** True where the question does not show all of a launch. */
export function isCut({ launch }: TrustQuestion, count: number): boolean {
  if (count === 1) return launchRows(launch).length > maxLaunchRows;
  return (
    launchLine(launch.config).length > maxLineLength || launchWarnings(launch.config).length > 0
  );
}

function singleItems(pending: PendingLaunch): readonly TrustItem[] {
  const { t } = vscode.l10n;
  const { question } = pending;
  const { launch, before } = question;
  const rows = launchRows(launch);
  const cut = isCut(question, 1);
  return [
    // In the separator it would leave no room for the row below it.
    separator(t('Configured in')),
    ...wrapLine(plainLabel(launch.place, maxPlaceLength)).map((label) => ({ label })),
    separator(''),
    ...rows.slice(0, cut ? maxLaunchRows - 1 : maxLaunchRows).map((label) => ({ label })),
    ...(cut
      ? [
          row(t('Show All ({0} more lines)', rows.length - maxLaunchRows + 1), 'go-to-file', {
            kind: 'show',
            launch: pending,
          }),
        ]
      : []),
    ...(before === undefined
      ? []
      : [row(t('Show What Changed'), 'diff', { kind: 'show', launch: pending })]),
    ...launchWarnings(launch.config).flatMap((warning) =>
      wrapLine(warning).map((label, index) => ({
        label,
        ...(index === 0 && { iconPath: new vscode.ThemeIcon('warning') }),
      })),
    ),
    separator(t('Your decision')),
    row(t('Not Now'), 'circle-slash', { kind: 'notNow' }),
    row(cut ? t('Review and Start…') : t('Trust and Start'), 'shield', { kind: 'trust' }),
    row(t('Not for This Workspace'), 'eye-closed', { kind: 'notHere' }),
    row(t('Show Configuration'), 'go-to-file', { kind: 'configuration', launch: pending }),
  ];
}

function listItems(pending: readonly PendingLaunch[]): readonly TrustItem[] {
  const { t } = vscode.l10n;
  const checked = pending.filter(({ isChecked }) => isChecked).length;
  return [
    separator(t('Your decision')),
    row(t('Not Now for All'), 'circle-slash', { kind: 'notNow' }),
    ...(checked > 0
      ? [
          row(t('Start Checked ({0})', checked), 'shield', { kind: 'trust' }),
          row(t('Not for This Workspace: Checked ({0})', checked), 'eye-closed', {
            kind: 'notHere',
          }),
        ]
      : []),
    separator(t('Select servers to check them')),
    ...pending.flatMap((launch): TrustItem[] => {
      const { config, serverName, place } = launch.question.launch;
      const [warning] = launchWarnings(config);
      return [
        {
          label: plainLabel(serverName, 60),
          description: plainLabel(place, 60),
          detail: plainLabel(warning ?? place, maxLineLength),
          iconPath: new vscode.ThemeIcon(launch.isChecked ? 'pass-filled' : 'circle-large-outline'),
          choice: { kind: 'check', launch },
        },
        {
          label: `\u2003${plainLabel(launchLine(config), maxLineLength)}`,
          description: t('select to see all of it'),
          choice: { kind: 'show', launch },
        },
      ];
    }),
  ];
}

function launchRows(launch: TrustQuestion['launch']): readonly string[] {
  // Its name and place stand above the rows already.
  const sections = launchText(launch).split(/^(?=\S)/m);
  return sections
    .slice(2)
    .flatMap((section) => section.split('\n'))
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [first = '', ...others] = wrapLine(line);
      return [first, ...others.map((more) => `\u2003\u2003${more}`)];
    });
}

function row(label: string, icon: string, choice: TrustChoice): TrustItem {
  return { label, iconPath: new vscode.ThemeIcon(icon), choice };
}

function separator(label: string): TrustItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
