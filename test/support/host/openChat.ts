import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/log';
import type { Memento } from '../../../src/base/memento';
import { RecentOutcomes } from '../../../src/chat/content/recentOutcomes';
import { CutTexts } from '../../../src/chat/content/cutTexts';
import { PromptDrafts } from '../../../src/chat/content/promptDrafts';
import { ChatTools } from '../../../src/chat/offer/chatTools';
import { ToolCosts } from '../../../src/chat/offer/toolCosts';
import { ToolSelection } from '../../../src/offer/offeredTools';
import { ChatTurn } from '../../../src/chat/participant/participant';
import { Retries } from '../../../src/chat/participant/conversation';
import { ChatStarts } from '../../../src/chat/chatStarts';
import type { CallGate } from '../../../src/gate/toolGate';
import type { Server } from '../../../src/mcp/server';
import type { Logs } from '../../../src/ui/logs';
import { fakeServer, fakeServers } from '../fakes/fakeServer';

const decidedBy = { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' } as const;
const denied: CallGate['run'] = () => Promise.resolve({ kind: 'denied', decidedBy });

/** A workspace store that exists as long as the test. */
export function memoryStore(): Memento {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
}

/** What a model answers with: texts and calls, or an error. */
export type Said = readonly (string | { readonly call: string; readonly input?: object })[] | Error;

/** The result of an answer by `@mcp`. */
export interface Answered {
  /** What the model received, as JSON. */
  readonly told: string;
  readonly buttons: readonly vscode.Command[];
  /** What is shown in the chat: text, and progress lines in brackets. */
  readonly shown: string;
  /** The links in the answer that run commands. */
  readonly links: readonly vscode.MarkdownString[];
}

/** Creates a chat with `@mcp` whose model answers with `rounds` in order, repeating the last one. */
export function openChat({
  servers: all = [fakeServer()],
  rounds = [['Here.']],
  run = denied,
  readiness = () => Promise.resolve('ready'),
  startAndTell = () => Promise.resolve([]),
  store = memoryStore(),
}: {
  readonly servers?: readonly Server[];
  readonly rounds?: readonly Said[];
  readonly run?: CallGate['run'];
  readonly readiness?: ChatStarts['deps']['launches']['readiness'];
  readonly startAndTell?: ChatStarts['deps']['starts']['startAndTell'];
  readonly store?: Memento;
} = {}) {
  const servers = fakeServers(...all);
  const cutTexts = new CutTexts();
  const recentOutcomes = new RecentOutcomes();
  const retries = new Retries<vscode.ChatPromptReference>();
  const drafts = new PromptDrafts();
  const selection = new ToolSelection(store);
  const chatStarts = new ChatStarts({
    servers,
    launches: { readiness },
    starts: { startAndTell },
  });
  const deps = {
    servers,
    chatTools: new ChatTools({
      servers,
      cutTexts,
      selection,
      log: silentLogger,
      gate: { run },
    }),
    cutTexts,
    recentOutcomes,
    drafts,
    retries,
    chatStarts,
    costs: new ToolCosts(),
    resources: { uriOf: (_server: string, uri: string) => vscode.Uri.parse(uri) },
    logs: { extension: silentLogger } as unknown as Logs,
  };
  let round = 0;
  let shown = '';
  const ask = async (
    prompt: string,
    references: readonly vscode.ChatPromptReference[] = [],
    {
      command,
      token,
    }: { readonly command?: string; readonly token?: vscode.CancellationToken } = {},
  ): Promise<Answered> => {
    const buttons: vscode.Command[] = [];
    const links: vscode.MarkdownString[] = [];
    shown = '';
    let told = '';
    const sendRequest = (messages: readonly vscode.LanguageModelChatMessage[]) => {
      told = JSON.stringify(messages);
      const said = rounds[Math.min(round, rounds.length - 1)] ?? [];
      round += 1;
      if (said instanceof Error) throw said;
      const stream = said.map((part, index) =>
        typeof part === 'string'
          ? new vscode.LanguageModelTextPart(part)
          : new vscode.LanguageModelToolCallPart(`${round}-${index}`, part.call, part.input ?? {}),
      );
      return Promise.resolve({ stream });
    };
    const stream = {
      button: (button: vscode.Command) => buttons.push(button),
      markdown: (text: string | vscode.MarkdownString) => {
        shown += typeof text === 'string' ? text : text.value;
        if (typeof text !== 'string') links.push(text);
      },
      progress: (text: string) => {
        shown += `[${text}]\n`;
      },
    };
    await new ChatTurn(
      deps,
      {
        prompt,
        references,
        command,
        model: { sendRequest, maxInputTokens: 10_000 },
      } as unknown as vscode.ChatRequest,
      { history: [] },
      stream as unknown as vscode.ChatResponseStream,
      token ?? new vscode.CancellationTokenSource().token,
    ).answer();
    return { told, buttons, shown, links };
  };
  return { ask, shown: () => shown, retries, chatStarts, drafts, recentOutcomes };
}
