import type * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import type { Progress } from '../mcp/protocol';
import type { CallOrigin } from '../mcp/toolCalls';
import type { ContentPart, MessagePart } from '../mcp/modelMessages';
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
}

/** Progress comes to the chat at most this often. */
const progressEveryMs = 1000;

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
  const { keptTexts, keptOutcomes, stream, maxResultLength, resourceUri } = parts;
  const { call, outcome } = called;
  const content = outcomeContent(outcome);
  const shortened = keptTexts.shorten(content.parts, maxResultLength);
  reportCall(stream, {
    call,
    outcome,
    leftOut: content.leftOut,
    tokens: estimateTokens(shortened.parts),
    isCut: shortened.cut,
    id: keptOutcomes.keep({ call, outcome }),
    resourceUri,
  });
  return outcome.kind === 'result' || outcome.kind === 'failed'
    ? markUntrusted(`${call.server.name} › ${call.tool.name}`, shortened.parts)
    : shortened.parts;
}

function progressReporter(stream: vscode.ChatResponseStream): (progress: Progress) => void {
  let reportedAt = 0;
  return ({ progress, total, message }) => {
    const now = Date.now();
    if (now - reportedAt < progressEveryMs) return;
    reportedAt = now;
    const amount = total ? `${Math.round((progress / total) * 100)}%` : String(progress);
    stream.progress(message ? `${amount} ${plainLabel(message, 100)}` : amount);
  };
}
