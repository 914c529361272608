import * as vscode from 'vscode';
import { utf8 } from '../base/bytes';
import { measureJson } from '../base/measureJson';
import { UserError, errorMessage } from '../base/errors';
import { type Mask, maskedCopy } from '../base/secretMask';
import { redactText } from '../base/secrets';
import { jsonText } from '../base/text/jsonText';
import {
  type MaskedIds,
  type RecordedMessage,
  type Recording,
  recordedMessage,
  recordingExtension,
  recordingText,
} from '../calls/recording/recording';
import type { Platform } from '../mcp/platform';
import type { HttpExchange } from '../mcp/traffic/httpExchange';
import type { TrafficEntry, TrafficFailure, TrafficMessage } from '../mcp/traffic/trafficEntry';
import { runCommand } from '../ui/commands';
import { saveExport } from '../ui/files/saveExport';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { UserAction } from '../ui/questions/question';

/** The server or agent at the other end. */
interface Peer {
  readonly name: string;
  readonly isAgent?: boolean;
}

/** What is seen of the traffic, the newest first. */
interface ShownTraffic {
  readonly server: Peer | undefined;
  readonly entries: readonly TrafficEntry[];
}

const sizes = new WeakMap<object, number>();

/**
 * Returns the size in bytes of a message as JSON, or of a line as it is; `undefined` if only its beginning was
 * kept.
 */
export function messageBytes({ value, isCut }: TrafficMessage): number | undefined {
  if (isCut) return undefined;
  if (typeof value !== 'object' || value === null) return utf8(String(value)).length;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const { bytes } = measureJson(value);
  sizes.set(value, bytes);
  return bytes;
}

/** Returns the content of an entry or its answer without secrets. */
export function shownValue(entry: TrafficEntry, message: TrafficMessage, mask: Mask): unknown {
  return entry.kind === 'stderr'
    ? redactText(mask(String(message.value)))
    : maskedCopy(message.value, mask);
}

/** Formats an entry as a document: request and response in one. */
export function entryDocument(entry: TrafficEntry, mask: Mask): string {
  const { kind, time, direction, peer, isCut, answer, failure, http } = entry;
  const ended = answer ?? failure;
  return jsonText(
    {
      time: new Date(time).toISOString(),
      direction,
      ...(peer && { peer }),
      ...(ended && { durationMs: rounded(ended.durationMs) }),
      [kind]: shownValue(entry, entry, mask),
      ...(isCut && { isCut }),
      ...(answer && { response: shownValue(entry, answer, mask) }),
      ...(answer?.isCut && { isResponseCut: true }),
      ...(failure && { failure: failureText(failure, mask) }),
      ...(http && { http: maskedCopy(http.map(inTenths), mask) }),
    },
    2,
  );
}

/** Formats an entry as a line of an export, including the line break. */
export function entryLine(entry: TrafficEntry, mask: Mask): string {
  const { number, time, direction, peer, kind, method, answer, failure, http } = entry;
  const part = (message: TrafficMessage) => ({
    message: shownValue(entry, message, mask),
    ...(message.isCut ? { isCut: true } : { bytes: messageBytes(message) }),
  });
  return `${JSON.stringify({
    number,
    time: new Date(time).toISOString(),
    direction,
    ...(peer && { peer }),
    kind,
    ...(method && { method: mask(method) }),
    ...part(entry),
    ...(answer && { answer: { ...part(answer), durationMs: rounded(answer.durationMs) } }),
    ...(failure && {
      failure: { message: failureText(failure, mask), durationMs: rounded(failure.durationMs) },
    }),
    ...(http && { http: maskedCopy(http.map(inTenths), mask) }),
  })}\n`;
}

/** Always in English: exports are for developers and programs, as logs are. */
function failureText({ error }: TrafficFailure, mask: Mask): string {
  return mask(errorMessage(error));
}

function inTenths(exchange: HttpExchange): HttpExchange {
  return { ...exchange, firstByteMs: rounded(exchange.firstByteMs) };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

/**
 * Returns what was sent and received as a recording, the oldest first, without secrets and what apps said; what was too
 * large to keep whole is left out and counted.
 */
export function recordingOfTraffic(
  entries: readonly TrafficEntry[],
  { name: server, ...peer }: Peer,
  mask: Mask,
): { readonly recording: Recording; readonly left: number } {
  const kept = entries.filter(
    ({ kind, peer: app }) => kind !== 'stderr' && kind !== 'exchange' && !app,
  );
  const began = Math.min(...kept.map(({ time }) => time));
  const ids: MaskedIds = new Map();
  let left = 0;
  const messages = kept.flatMap(({ time, direction, answer, value, isCut }) => {
    const at = time - began;
    // To an agent, this window is the server.
    const from = (direction === 'sent') === (peer.isAgent !== true) ? 'client' : 'server';
    const to = from === 'client' ? 'server' : 'client';
    return [
      { at, from, value, isCut } as const,
      ...(answer ? [{ ...answer, at: at + answer.durationMs, from: to } as const] : []),
    ].flatMap((one): RecordedMessage[] => {
      const recorded = one.isCut
        ? undefined
        : recordedMessage(one.from, one.at, one.value, mask, ids);
      if (!recorded) left += 1;
      return recorded ? [recorded] : [];
    });
  });
  // An answer belongs where it arrived.
  const inOrder = messages.toSorted((a, b) => a.at - b.at);
  const recorded = kept.length > 0 ? new Date(began).toISOString() : '';
  return { recording: { server, recorded, rules: [], messages: inOrder }, left };
}

/** Saves what the view shows, oldest first, one JSON value per line, in a file that the user chooses. */
export async function exportTraffic(
  action: UserAction,
  { server, entries }: ShownTraffic,
  mask: Mask,
  writer: WorkspaceWriter,
): Promise<void> {
  const { t } = vscode.l10n;
  await saveExport(action, {
    title: t('Export Traffic'),
    name: server ? `${server.name}-traffic.jsonl` : 'traffic.jsonl',
    filters: { 'JSON Lines': ['jsonl'] },
    writer,
    exported: () => ({
      text: entries
        .toReversed()
        .map((entry) => entryLine(entry, mask))
        .join(''),
      told: (file) =>
        entries.length === 1
          ? t('Saved 1 message to {0}.', file)
          : t('Saved {0} messages to {1}.', String(entries.length), file),
    }),
  });
}

/** Saves what the view shows as a recording that answers like the server, in a file that the user chooses. */
export async function saveRecording(
  action: UserAction,
  { server, entries }: ShownTraffic,
  mask: Mask,
  {
    writer,
    platform,
  }: {
    readonly writer: Pick<WorkspaceWriter, 'home' | 'write'>;
    readonly platform: Pick<Platform, 'programs'>;
  },
): Promise<void> {
  const { t } = vscode.l10n;
  const peer = server ?? { name: 'server' };
  const { name } = peer;
  const { recording, left } = recordingOfTraffic(entries.toReversed(), peer, mask);
  if (recording.messages.length === 0) throw new UserError(t('There is no message to record yet.'));
  await saveExport(action, {
    title: t('Save Recording'),
    name: `${name}${recordingExtension}`,
    filters: { [t('Recordings')]: ['jsonc'] },
    writer,
    // It is served by a process, which reads it from a disk.
    nextOf: (file) =>
      platform.programs && file.scheme === 'file'
        ? {
            title: t('Serve'),
            run: (by) => void runCommand(by, Command.serveRecording, file),
          }
        : undefined,
    exported: () => ({
      text: recordingText(recording),
      told: (file) => {
        const count = String(recording.messages.length);
        return left === 0
          ? t('Recorded {0} messages in {1}. Read the file before you share it.', count, file)
          : t(
              'Recorded {0} messages in {1}; {2} were too large. Read the file before you share it.',
              count,
              file,
              String(left),
            );
      },
    }),
  });
}
