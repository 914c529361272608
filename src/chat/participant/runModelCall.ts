import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { Progress } from '../../mcp/protocol/types';
import type { CallOrigin } from '../../contracts/toolCalls';
import type { ContentPart, MessagePart } from '../../contracts/modelMessages';
import { Command } from '../../ui/ids';
import { callLabel, reportCall } from './callReport';
import { feedback, foundFeedback } from './feedback';
import type { KeptOutcome, KeptOutcomes } from '../content/keptOutcomes';
import { estimateTokens, type KeptTexts, type ShortContent } from '../content/keptTexts';
import { ownToolNames, type ModelTools } from '../offer/modelTools';

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
  const { modelTools, keptTexts, maxResultLength, origin, signal, stream, found } = parts;
  if (name === ownToolNames.find) {
    const tools = modelTools.find(input);
    for (const tool of tools) {
      // The latest stands last, as it is offered before all others.
      found.delete(tool.name);
      found.add(tool.name);
    }
    return foundFeedback(tools, keptTexts, maxResultLength);
  }
  const known = modelTools.offered.get(name);
  if (known) stream.progress(callLabel({ ...known, arguments: input, origin }));
  const options = { signal, onProgress: progressReporter(stream) };
  const called =
    name === ownToolNames.read
      ? await modelTools.read(input, origin, options)
      : await modelTools.call(name, input, origin, options);
  const content = feedback(called, keptTexts, maxResultLength);
  if (called.kind === 'outcome') report(called, content, parts);
  return content.parts;
}

function report(
  { call, outcome }: KeptOutcome,
  { parts, leftOut, isCut }: ShortContent,
  { stream, keptOutcomes, resourceUri, buttons }: CallParts,
): void {
  const tokens = estimateTokens(parts);
  const hasMore = reportCall(stream, { call, outcome, leftOut, tokens, isCut, resourceUri });
  if (hasMore)
    buttons.push({
      command: Command.showToolResult,
      title: vscode.l10n.t('Show Result of {0}', callLabel(call)),
      arguments: [keptOutcomes.keep({ call, outcome })],
    });
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
