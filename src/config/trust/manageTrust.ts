import * as vscode from 'vscode';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import type { Asker } from '../chooseConfigured';
import { checkRows } from '../../ui/steps/pickRows';
import { storedLine } from '../launch/launch';
import type { LocatedDefinition } from '../mergeLayers';
import { shownPlace, sourceKey } from '../configLayer';
import type { DeclinableLaunch, DeclinedLaunch, DeclinedLaunches } from './declinedLaunches';
import type { TrustDecision, TrustStore } from './trustStore';
import { type PickLook, separator } from '../../ui/rows/picks';
import { showMessage } from '../../ui/messages';

/** How much of a line is read at a glance, and how much of its beginning and before a difference is kept, in UTF-16 units. */
const glance = 60;
const beginning = 25;
const before = 12;

/** Shortens each line that begins like another to its beginning and what differs from the most similar line. */
export function tellApart(lines: readonly string[]): readonly string[] {
  const sorted = [...new Set(lines)].toSorted();
  const shown = new Map(
    sorted.map((line, at) => {
      // In this order, the most similar lines are next to each other.
      const beside = [sorted[at - 1] ?? '', sorted[at + 1] ?? ''];
      const alike = Math.max(...beside.map((other) => alikeLength(line, other)));
      return [
        line,
        alike < glance ? line : `${line.slice(0, beginning)} … ${line.slice(alike - before)}`,
      ];
    }),
  );
  return lines.map((line) => shown.get(line) ?? line);
}

function alikeLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

type Row = PickLook;

/**
 * Shows every launch configuration that was trusted or declined, with those of servers that are not `configured`
 * in a group of their own; resolves to true if the user withdrew trust.
 */
export async function manageTrust(
  store: TrustStore,
  declined: DeclinedLaunches,
  configured: readonly LocatedDefinition[],
  { action, questions }: Asker,
): Promise<boolean> {
  const decisions = await store.readAll();
  const refusals = declined.all;
  if (decisions.length + refusals.length === 0) {
    await showMessage('info', vscode.l10n.t('You have not trusted any launch configuration yet.'));
    return false;
  }
  const all: readonly DeclinableLaunch[] = [...decisions, ...refusals];
  const details = tellApart(all.map(({ text }) => storedLine(text, vscode.l10n.t)));
  const rowOf = (launch: DeclinableLaunch) => launchRow(launch, details[all.indexOf(launch)]);
  const items = decisions.map((decision) => ({
    ...rowOf(decision),
    description: placeOf(
      decision,
      new Date(decision.decidedAt).toLocaleString(vscode.env.language),
    ),
    decision,
  }));
  const others = refusals.map((refusal) => ({
    ...rowOf(refusal),
    description: placeOf(refusal, reachOf(refusal)),
    refusal,
  }));
  const isConfigured = ({ decision }: { readonly decision: TrustDecision }) =>
    configured.some(
      ({ definition, layer }) =>
        definition.name === decision.serverName && sourceKey(layer) === decision.place,
    );
  const title = vscode.l10n.t('Launch Configurations You Decided On');
  const kept = await askOwn(
    questions,
    { server: noServer, what: title, asked: action },
    (context) =>
      checkRows<Row>({
        frame: { title, actions: [], context },
        placeholder: vscode.l10n.t('Clear what you want to be asked about again'),
        items: [
          ...items.filter(isConfigured),
          ...group(vscode.l10n.t('Not started in this workspace'), others),
          ...group(
            vscode.l10n.t('Not configured in this window'),
            items.filter((item) => !isConfigured(item)),
          ),
        ],
      }),
  );
  if (!kept) return false;
  for (const other of others) if (!kept.includes(other)) await declined.remove(other.refusal);
  const withdrawn = items.filter((item) => !kept.includes(item));
  await Promise.all(withdrawn.map(({ decision }) => store.remove(decision)));
  return withdrawn.length > 0;
}

function launchRow(launch: DeclinableLaunch, detail = ''): Row {
  return { label: launch.serverName, detail, picked: true };
}

/** Returns the answer that declined a launch, and how long it holds. */
function reachOf({ decline }: DeclinedLaunch): string {
  const { t } = vscode.l10n;
  return decline === 'notNow'
    ? t('Not Now: until its launch changes')
    : t('Not for This Workspace: however it is launched');
}

/** Returns the name of a place and what was decided, with the path of its file last, where a narrow row cuts it off. */
function placeOf({ place }: DeclinableLaunch, decided: string): string {
  const [label = '', path] = shownPlace(place).split('\n');
  return [label, decided, path].filter(Boolean).join(' · ');
}

function group(heading: string, rows: readonly Row[]): readonly Row[] {
  return rows.length > 0 ? [separator(heading), ...rows] : [];
}
