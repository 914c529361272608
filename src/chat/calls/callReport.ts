import * as vscode from 'vscode';
import { listText, type Sentence } from '../../base/translate';
import { plainLabel } from '../../base/text/text';
import { decisionText } from '../../ui/decisionText';
import type { Decision } from '../../contracts/decision';
import { toParts } from '../../mcp/protocol/content';
import { displayName } from '../../mcp/protocol/types';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';

import { sayFile, sayLine } from '../../ui/rows/chatText';
import { shortResult } from './shortForms';

const maxLinks = 10;

/** What the user is told about a call and how it ended. */
export interface CallReport {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  /** What was decided before anything was sent, if it came to that. */
  readonly decision: Decision | undefined;
  /** Content that the model was not given, named in a few words each. */
  readonly leftOut: readonly Sentence[];
  /** Roughly how many tokens the model was given, and whether they are only part of the result. */
  readonly tokens: number;
  readonly isCut: boolean;
  /** Returns the URI of the document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}

/** Names a call as the user knows it: by server and tool. */
export function callLabel({ server, tool }: ToolCall): string {
  return `${plainLabel(server.name, 60)} › ${plainLabel(displayName(tool), 60)}`;
}

/**
 * Says in the chat how a call ended, who decided, and how its result begins; returns true if the result has more
 * to show than the text that the model was given.
 */
export function reportCall(stream: vscode.ChatResponseStream, report: CallReport): boolean {
  const { call, outcome, decision, leftOut, tokens, isCut, resourceUri } = report;
  const lines: string[] = [];
  if (isCut)
    lines.push(
      vscode.l10n.t(
        'The result is long: the model gets its beginning and end, about {0} tokens, and can read on.',
        tokens.toLocaleString(vscode.env.language),
      ),
    );
  if (leftOut.length > 0)
    lines.push(
      vscode.l10n.t(
        'Not sent to the model: {0}',
        listText(
          leftOut.map((what) => what(vscode.l10n.t)),
          vscode.l10n.t,
        ),
      ),
    );
  if (outcome.kind === 'result')
    lines.push(...outcome.problems.map((problem) => problem(vscode.l10n.t)));
  const said = outcome.kind === 'result' ? shortResult(outcome.result) : [];
  sayLine(stream, ending(callLabel(call), outcome, decision), ...said);
  for (const line of lines) sayLine(stream, line);
  if (outcome.kind !== 'result') return false;
  const parts = toParts(outcome.result.content);
  for (const part of parts.filter((each) => each.kind === 'link').slice(0, maxLinks))
    sayFile(stream, resourceUri(call.server.id, part.uri), part.title ?? part.name);
  return isCut || leftOut.length > 0 || parts.some(({ kind }) => kind !== 'text');
}

function ending(label: string, outcome: ToolOutcome, decision: Decision | undefined): string {
  const { t } = vscode.l10n;
  const by = decision ? ` (${decisionText(decision)})` : '';
  switch (outcome.kind) {
    case 'result': {
      if (outcome.result.isError) return t('{0} reported an error{1}:', label, by);
      return outcome.edited
        ? t('{0} was called with the arguments as you edited them{1}:', label, by)
        : t('{0} was called{1}:', label, by);
    }
    case 'denied':
      return t('{0} was denied and not called{1}.', label, by);
    case 'withdrawn':
      return t('{0} was not called{1}.', label, by);
    case 'failed':
      return t('{0} failed{1}: {2}', label, by, outcome.message(t));
    case 'cancelled':
      return t('{0} was cancelled{1}.', label, by);
    case 'background':
      return t('{0} continues in the background{1}.', label, by);
  }
}
