import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import type { Progress } from '../mcp/protocol';
import type { CallOrigin } from '../mcp/toolCalls';
import type { ContentPart, MessagePart } from '../mcp/modelMessages';
import { Command } from '../ui/ids';
import { callLabel, reportCall } from './callReport';
import type { KeptOutcomes } from './keptOutcomes';
import { estimateTokens, type KeptTexts } from './keptTexts';
import { outcomeContent } from './modelContent';
import { describeTools, ownToolNames, type Called, type ModelTools } from './modelTools';
import { markUntrusted } from './untrusted';

/** A model's wish to call a tool. */
export type WantedCall = MessagePart & { readonly kind: 'call' };

/** What running a model's calls needs, the same for all of one answer. */
export interface CallParts {
  readonly modelTools: ModelTools;
  readonly keptTexts: KeptTexts;
  readonly keptOutcomes: KeptOutcomes;
  readonly stream: vscode.ChatResponseStream;
  readonly signal: AbortSignal;
  readonly origin: CallOrigin;
  /** How many characters of a result a model is given at once. */
  readonly maxResultLength: number;
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
  /** The names of the tools that the model has found, added to here. */
  readonly found: Set<string>;
  /** Added to here is what shall stand below the answer: the editor folds away what is above its last text. */
  readonly buttons: vscode.Command[];
}

/** Every report of progress stays in the chat as a line of its own, so the distance between two doubles. */
const firstProgressMs = 1000;

/** Runs one call of a model and gives what the model is told of it. */
export async function runModelCall(call: WantedCall, parts: CallParts): Promise<MessagePart> {
  const content = await contentOf(call, parts);
  return { kind: 'answer', id: call.id, content };
}

async function contentOf(
  { name, input }: WantedCall,
  parts: CallParts,
): Promise<readonly ContentPart[]> {
  const { modelTools, origin, signal, stream, found } = parts;
  if (name === ownToolNames.find) {
    const tools = modelTools.find(input);
    for (const tool of tools) found.add(tool.name);
    return markUntrusted('the tools of the servers', [describeTools(tools)]);
  }
  const known = modelTools.offered.get(name);
  if (known) stream.progress(callLabel({ ...known, arguments: input, origin }));
  const options = { signal, onProgress: progressReporter(stream) };
  const called =
    name === ownToolNames.read
      ? await modelTools.read(input, origin, options)
      : await modelTools.call(name, input, origin, options);
  return feedback(called, parts);
}

function feedback(called: Called, parts: CallParts): readonly ContentPart[] {
  if (called.kind === 'text') return [{ kind: 'text', text: called.text }];
  const { keptTexts, keptOutcomes, stream, maxResultLength, resourceUri, buttons } = parts;
  const { call, outcome } = called;
  const content = outcomeContent(outcome);
  const shortened = keptTexts.shorten(content.parts, maxResultLength);
  const hasMore = reportCall(stream, {
    call,
    outcome,
    leftOut: content.leftOut,
    tokens: estimateTokens(shortened.parts),
    isCut: shortened.cut,
    resourceUri,
  });
  if (hasMore)
    buttons.push({
      command: Command.showToolResult,
      title: vscode.l10n.t('Show Result of {0}', callLabel(call)),
      arguments: [keptOutcomes.keep({ call, outcome })],
    });
  return outcome.kind === 'result' || outcome.kind === 'failed'
    ? markUntrusted(`${call.server.name} › ${call.tool.name}`, shortened.parts)
    : shortened.parts;
}

function progressReporter(stream: vscode.ChatResponseStream): (progress: Progress) => void {
  let distance = firstProgressMs;
  let next = Date.now() + distance;
  return ({ progress, total, message }) => {
    const now = Date.now();
    if (now < next) return;
    distance *= 2;
    next = now + distance;
    const amount = total ? `${Math.round((progress / total) * 100)}%` : String(progress);
    stream.progress(message ? `${amount} ${plainLabel(message, 100)}` : amount);
  };
}
