import * as vscode from 'vscode';
import { escapeMarkdown } from '../../base/text/markdown';
import { plainLabel } from '../../base/text/text';
import { toParts } from '../../mcp/protocol/content';
import { displayName } from '../../mcp/protocol/types';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';

const maxLinks = 10;

/** What the person is told of a call beside how it ended. */
export interface CallReport {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  /** Content that the model was not given, a word each. */
  readonly leftOut: readonly string[];
  /** Roughly how many tokens the model was given, and whether that is only a part. */
  readonly tokens: number;
  readonly isCut: boolean;
  /** The document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}

/** A call as a person knows it: server and tool. */
export function callLabel({ server, tool }: ToolCall): string {
  return `${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
}

/**
 * Tells in the chat what became of a call, with what the model's own answer may not show; gives whether
 * the result holds more than the chat shows.
 */
export function reportCall(stream: vscode.ChatResponseStream, report: CallReport): boolean {
  const { call, outcome, leftOut, tokens, isCut, resourceUri } = report;
  const lines = [ending(callLabel(call), outcome)];
  if (isCut)
    lines.push(
      vscode.l10n.t(
        'The result is long: the model gets its beginning and end, about {0} tokens, and can read on.',
        tokens.toLocaleString(),
      ),
    );
  if (leftOut.length > 0)
    lines.push(vscode.l10n.t('Not given to the model: {0}', leftOut.join(', ')));
  if (outcome.kind === 'result') lines.push(...outcome.problems);
  stream.markdown(`${lines.map((line) => escapeMarkdown(line)).join('\n\n')}\n\n`);
  if (outcome.kind !== 'result') return false;
  const parts = toParts(outcome.result.content);
  for (const part of parts.filter((each) => each.kind === 'link').slice(0, maxLinks))
    stream.anchor(resourceUri(call.server.id, part.uri), plainLabel(part.title ?? part.name, 80));
  return isCut || leftOut.length > 0 || parts.some(({ kind }) => kind !== 'text');
}

function ending(label: string, outcome: ToolOutcome): string {
  switch (outcome.kind) {
    case 'result': {
      if (outcome.result.isError) return vscode.l10n.t('{0} reported an error.', label);
      return outcome.edited
        ? vscode.l10n.t('{0} was called with the arguments as you edited them.', label)
        : vscode.l10n.t('{0} was called.', label);
    }
    case 'denied':
      return outcome.decidedBy.kind === 'user'
        ? vscode.l10n.t('{0} was denied and not called.', label)
        : vscode.l10n.t('{0} was denied by a rule and not called.', label);
    case 'withdrawn':
      return vscode.l10n.t('{0} was withdrawn and not called.', label);
    case 'failed':
      return vscode.l10n.t('{0} failed: {1}', label, outcome.message);
    case 'cancelled':
      return vscode.l10n.t('{0} was cancelled.', label);
    case 'background':
      return vscode.l10n.t('{0} runs on in the background.', label);
  }
}
