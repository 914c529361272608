import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/log';
import { RecentOutcomes } from '../../../src/chat/content/recentOutcomes';
import { CutTexts } from '../../../src/chat/content/cutTexts';
import { ChatTools } from '../../../src/chat/offer/chatTools';
import { toolLoop } from '../../../src/chat/participant/toolLoop';
import { WaitingLine } from '../../../src/chat/participant/callReport';
import { ToolSelection } from '../../../src/offer/offeredTools';
import type { ModelMessage } from '../../../src/contracts/modelMessages';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';

type Round = readonly (string | { readonly call: string })[] | Error;

/** Lets a model answer with the rounds in order; returns the result. */
async function answerWith(
  rounds: readonly Round[],
  { maxRounds = 10, cancelAfter = Infinity } = {},
) {
  const written: string[] = [];
  const added: ModelMessage[] = [];
  const source = new vscode.CancellationTokenSource();
  const called: string[] = [];
  let round = 0;
  const sendRequest = () => {
    const said = rounds[Math.min(round, rounds.length - 1)] ?? [];
    round += 1;
    if (said instanceof Error) throw said;
    if (round > cancelAfter) source.cancel();
    const parts = said.map((part) =>
      typeof part === 'string'
        ? new vscode.LanguageModelTextPart(part)
        : new vscode.LanguageModelToolCallPart(`${round}`, part.call, {}),
    );
    return Promise.resolve({ stream: parts });
  };
  const cutTexts = new CutTexts();
  const selection = new ToolSelection({ get: () => undefined, update: () => Promise.resolve() });
  const chatTools = new ChatTools({
    servers: fakeServers(fakeServer()),
    cutTexts,
    selection,
    log: silentLogger,
    gate: {
      run: ({ tool }) => {
        called.push(tool.name);
        const decidedBy = { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' } as const;
        return Promise.resolve({ kind: 'denied', decidedBy });
      },
    },
  });
  const stream = {
    markdown: (text: string) => written.push(text),
    progress() {},
  } as unknown as vscode.ChatResponseStream;
  const ended = toolLoop([], added, {
    model: { sendRequest } as unknown as vscode.LanguageModelChat,
    stream,
    token: source.token,
    waiting: new WaitingLine(stream),
    signal: new AbortController().signal,
    origin: { kind: 'chat', conversation: 'one', answer: 'one' },
    maxRounds,
    maxResultLength: 1000,
    toolsToOffer: () => [],
    found: new Set(),
    buttons: [],
    chatTools,
    cutTexts,
    recentOutcomes: new RecentOutcomes(),
    resources: { uriOf: (_server, uri) => vscode.Uri.parse(uri) },
  });
  const ending = await ended.catch((error: unknown) => error);
  const kinds = added.map(({ role, parts }) => `${role}: ${parts.map(({ kind }) => kind).join()}`);
  return { ending, kinds, called, text: written.join('') };
}

const call = { call: 'demo__tool' };

describe('tools in an answer', () => {
  it('are called until the model calls no more', async () => {
    const { ending, kinds, called, text } = await answerWith([
      ['Let me see.', call],
      ['So it is.'],
    ]);
    assert.equal(ending, 'complete');
    assert.deepEqual(called, ['tool']);
    assert.deepEqual(kinds, ['assistant: text,call', 'user: answer', 'assistant: text']);
    assert.match(text, /^Let me see\.[^]*was denied[^]*So it is\.$/);
  });

  it('are called at once where the model calls several', async () => {
    const { kinds, called } = await answerWith([[call, call], ['Done.']]);
    assert.deepEqual(called, ['tool', 'tool']);
    assert.deepEqual(kinds, ['assistant: call,call', 'user: answer,answer', 'assistant: text']);
  });

  it('are called in no more rounds than are allowed, which is said', async () => {
    const { ending, called, text } = await answerWith([[call]], { maxRounds: 3 });
    assert.equal(ending, 'rounds');
    assert.equal(called.length, 3);
    assert.match(text, /Stopped after 3 rounds of tool calls/);
  });

  it('stay in the conversation where the model fails later', async () => {
    const { ending, kinds } = await answerWith([[call], new Error('overloaded')]);
    assert.match(String(ending), /overloaded/);
    assert.deepEqual(kinds, ['assistant: call', 'user: answer']);
  });

  it('are not called once the user cancelled, and no call is left without an answer', async () => {
    const { ending, kinds, called } = await answerWith([[call, call]], { cancelAfter: 0 });
    assert.equal(ending, 'cancelled');
    assert.deepEqual(called, []);
    assert.deepEqual(kinds, ['assistant: call,call', 'user: answer,answer']);
  });
});
