import { percentile, tokensIn } from '../base/measureJson';
import * as vscode from 'vscode';
import { DisposableHolder, DisposableStore, type Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import { RecentFolders } from '../ui/documents/recentFolders';
import type { MemoryFiles } from '../ui/documents/memoryFiles';
import { Command } from '../ui/ids';
import { showText } from '../ui/keyboard';
import type { UserAction } from '../ui/questions/question';
import type { AuditLog, AuditRecord, CallBegun, CallEnded } from './auditLog';
import { originText, secondsText, toolOf } from './logDetails';
import { logSessions } from './logSessions';

/** So many servers, tools or callers have a row of their own in each list. */
export const maxStatisticRows = 50;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const longestName = 36;
const barWidth = 12;
/** Characters that take two columns in fonts of fixed width. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/gu;

/** A call that is over, or was not sent, as far as figures need it. */
interface Counted {
  readonly at: number;
  readonly begun: CallBegun;
  readonly ended: CallEnded | undefined;
}

/** The figures of the calls of one group, such as a tool or a day. */
export interface Figures {
  /** How many were sent. */
  readonly calls: number;
  /** How many of these failed: an error of the tool or the server, or lost with the window. */
  readonly failed: number;
  /** How many were not sent, as somebody or a rule decided. */
  readonly refused: number;
  /** The median and the 95th percentile of the time of those that got an answer, in milliseconds. */
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  /** What arguments and results take in most models, estimated by their size. */
  readonly tokens: number;
}

/** Sums up calls: those that were refused, and of those that were sent also what failed, how long they took and their size. */
export function figuresOf(counted: readonly Omit<Counted, 'at'>[]): Figures {
  const sent = counted.filter(({ begun }) => begun.decision === 'allowed');
  const times = sent
    .flatMap(({ ended }) => {
      const isAnswered = ended?.outcome !== 'cancelled' && ended?.outcome !== 'lost';
      return isAnswered && isCount(ended?.durationMs) ? [ended.durationMs] : [];
    })
    .toSorted((a, b) => a - b);
  const bytes = sent.reduce(
    (sum, { begun, ended }) => sum + countOf(begun.argumentBytes) + countOf(ended?.resultBytes),
    0,
  );
  return {
    calls: sent.length,
    failed: sent.filter(({ ended }) => ended && isFailure(ended)).length,
    refused: counted.length - sent.length,
    p50: percentile(times, 0.5),
    p95: percentile(times, 0.95),
    tokens: tokensIn(bytes),
  };
}

function isFailure({ outcome }: CallEnded): boolean {
  return outcome === 'toolError' || outcome === 'failed' || outcome === 'lost';
}

// Another version, or another program, may have written the log.
function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function countOf(value: unknown): number {
  return isCount(value) ? value : 0;
}

const levels = '▁▂▃▄▅▆▇█';

/** Draws how often something happened, from the first time to the last: one sign for each of `count` equal parts. */
export function sparkline(
  times: readonly number[],
  from: number,
  to: number,
  count: number,
): string {
  const parts = Array.from({ length: count }, () => 0);
  for (const time of times) {
    const at = Math.min(Math.floor(((time - from) / (to - from || 1)) * count), count - 1);
    if (at >= 0) parts[at] = (parts[at] ?? 0) + 1;
  }
  const most = Math.max(...parts, 1);
  return parts
    .map((part) => (part === 0 ? '·' : levels[Math.ceil((part / most) * levels.length) - 1]))
    .join('');
}

/** A part of a line that leads to the entries of the log that contain a text. */
interface EntryLink {
  readonly line: number;
  readonly length: number;
  readonly filter: string;
  /** What the filter is called above the entries that it shows. */
  readonly label: string;
}

/** The figures as a document, and the links in it. */
export interface StatisticsText {
  readonly text: string;
  readonly links: readonly EntryLink[];
}

/** Writes the figures of a day, a week and of all that the log has, by server, tool and who wanted the calls. */
export function statisticsText(records: readonly AuditRecord[], now: number): StatisticsText {
  const { t } = vscode.l10n;
  const all = countedCalls(records);
  const first = all.reduce((earliest, { at }) => Math.min(earliest, at), now);
  const lines: string[] = [t('Tool calls of this workspace, from the tool log'), ''];
  const links: EntryLink[] = [];
  if (all.length === 0) lines.push(t('No call has been logged yet.'));
  const periods = [
    { title: t('Last 24 hours'), from: now - dayMs, parts: 24 },
    { title: t('Last 7 days'), from: now - 7 * dayMs, parts: 28 },
    {
      title: t('All, since {0}', new Date(first).toLocaleDateString(vscode.env.language)),
      from: first,
      parts: 40,
    },
  ];
  for (const { title, from, parts } of all.length === 0 ? [] : periods) {
    const counted = all.filter(({ at }) => at >= from);
    lines.push(`── ${title} ──`, '', figuresText(figuresOf(counted)));
    if (counted.length === 0) {
      lines.push('');
      continue;
    }
    const times = counted.map(({ at }) => at);
    lines.push(sparkline(times, from, now, parts), '');
    for (const [heading, groupOf] of groupings(t))
      addGroups(heading, groupsBy(counted, groupOf), { lines, links });
  }
  lines.push(t('Times are from the sending to the answer. Tokens are estimated by size.'));
  lines.push(t('Open the link of a name to see its calls in the tool log.'));
  return { text: `${lines.join('\n')}\n`, links };
}

interface Group {
  readonly label: string;
  /** What each entry of the group contains in the log, and hardly another one does. */
  readonly filter: string;
}

type GroupOf = (begun: CallBegun) => Group;

function groupings(
  t: typeof vscode.l10n.t,
): readonly (readonly [heading: string, groupOf: GroupOf])[] {
  const quoted = (value: string) => JSON.stringify(value);
  return [
    [
      t('By server'),
      ({ server }) => ({ label: server.name, filter: `"name":${quoted(server.name)}}` }),
    ],
    [
      t('By tool'),
      (begun) => ({
        label: `${begun.server.name} › ${toolOf(begun).name}`,
        filter: `"name":${quoted(begun.server.name)}},"tool":${quoted(begun.tool)}`,
      }),
    ],
    [
      t('By who wanted them'),
      (begun) => ({
        label: originText(begun),
        filter:
          begun.agent === undefined
            ? `"origin":${quoted(begun.origin)}`
            : `"agent":${quoted(begun.agent)}`,
      }),
    ],
  ];
}

/** Returns the calls of each group, the one with the most first. */
function groupsBy(
  counted: readonly Counted[],
  groupOf: GroupOf,
): readonly (readonly [Group, readonly Counted[]])[] {
  const groups = new Map<string, [Group, Counted[]]>();
  for (const one of counted) {
    const group = groupOf(one.begun);
    const known = groups.get(group.filter);
    if (known) known[1].push(one);
    else groups.set(group.filter, [group, [one]]);
  }
  return [...groups.values()].toSorted(([, a], [, b]) => b.length - a.length);
}

function addGroups(
  heading: string,
  groups: readonly (readonly [Group, readonly Counted[]])[],
  { lines, links }: { readonly lines: string[]; readonly links: EntryLink[] },
): void {
  const { t } = vscode.l10n;
  const most = groups[0]?.[1].length ?? 1;
  lines.push(heading);
  const rows = groups.slice(0, maxStatisticRows).map(([{ label, filter }, counted]) => ({
    name: plainLabel(label, longestName),
    filter,
    counted,
  }));
  const width = Math.max(...rows.map(({ name }) => columnsOf(name)));
  for (const { name, filter, counted } of rows) {
    const bar = '█'.repeat(Math.max(Math.round((counted.length / most) * barWidth), 1));
    links.push({ line: lines.length, length: name.length, filter, label: name });
    const padding = ' '.repeat(width - columnsOf(name));
    // Beside the bar they would not fit between the side bars.
    lines.push(`${name}${padding}  ${bar}`, `  ${figuresText(figuresOf(counted))}`);
  }
  const more = groups.length - maxStatisticRows;
  if (more > 0) lines.push(t('and {0} more', more));
  lines.push('');
}

function columnsOf(text: string): number {
  return text.replaceAll(wide, '  ').length;
}

function figuresText({ calls, failed, refused, p50, p95, tokens }: Figures): string {
  const { t } = vscode.l10n;
  const number = (value: number) => value.toLocaleString(vscode.env.language);
  return [
    t('calls: {0}', number(calls)),
    ...(failed > 0 ? [t('failed: {0}', number(failed))] : []),
    ...(refused > 0 ? [t('not sent: {0}', number(refused))] : []),
    ...(p50 === undefined || p95 === undefined
      ? []
      : [`p50 ${secondsText(p50)}`, `p95 ${secondsText(p95)}`]),
    ...(tokens > 0 ? [t('≈ {0} tokens', number(tokens))] : []),
  ].join(' · ');
}

/** Returns the calls that were decided on, and when; those of a log with a broken time are left out. */
function countedCalls(records: readonly AuditRecord[]): readonly Counted[] {
  return logSessions(records).flatMap(({ entries }) =>
    entries.flatMap((entry): readonly Counted[] => {
      if (entry.kind !== 'call') return [];
      const at = Date.parse(entry.begun.time);
      return Number.isNaN(at) ? [] : [{ at, begun: entry.begun, ended: entry.ended }];
    }),
  );
}

/** The document with the figures, written anew each time that it is shown. */
export class Statistics implements Disposable {
  private readonly store = new DisposableStore();
  private readonly kept: RecentFolders;
  private readonly linking = this.store.add(new DisposableHolder<Disposable>());
  private readonly log: Pick<AuditLog, 'read'>;
  private readonly scheme: string;
  private shown: { readonly uri: string; readonly links: readonly EntryLink[] } | undefined;

  constructor(log: Pick<AuditLog, 'read'>, files: MemoryFiles) {
    this.log = log;
    this.scheme = files.scheme;
    this.kept = this.store.add(new RecentFolders(files, 'statistics'));
  }

  /** Reads the log and shows its figures. */
  async show(action: UserAction): Promise<void> {
    const { records } = await this.log.read();
    const { text, links } = statisticsText(records, Date.now());
    const uri = this.kept.document('statistics', `${vscode.l10n.t('Statistics')}.mcp-review`, text);
    this.shown = { uri: uri.toString(), links };
    // Only once somebody looks.
    this.linking.value ??= vscode.languages.registerDocumentLinkProvider(
      { scheme: this.scheme, language: 'mcp-review' },
      { provideDocumentLinks: (document) => this.linksOf(document) },
    );
    await showText(uri, action, { preview: true });
  }

  dispose(): void {
    this.store.dispose();
  }

  private linksOf(document: vscode.TextDocument): vscode.DocumentLink[] {
    if (document.uri.toString() !== this.shown?.uri) return [];
    return this.shown.links.map(({ line, length, filter, label }) => {
      const query = encodeURIComponent(JSON.stringify([filter, label]));
      const target = vscode.Uri.parse(`command:${Command.filterToolLog}?${query}`);
      const link = new vscode.DocumentLink(new vscode.Range(line, 0, line, length), target);
      link.tooltip = vscode.l10n.t('Show in Tool Log');
      return link;
    });
  }
}
