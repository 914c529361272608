import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolCall, ToolOutcome } from '../../../src/contracts/toolCalls';
import type { Server } from '../../../src/mcp/server';
import { TrafficRecords } from '../../../src/mcp/traffic/trafficRecorder';
import { editAndSend, type SendDeps } from '../../../src/traffic/sendAgain';
import type { DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { fakeServer } from '../../support/fakes/fakeServer';
import { byUser } from '../../../src/ui/questions/question';

const call = '{"method":"tools/call","params":{"name":"greet","arguments":{"name":"Eve"}}}';
const read = '{"method":"resources/read","params":{"uri":"a:b"}}';
const note = '{"method":"notifications/roots/list_changed"}';
const marked =
  '{"method":"tools/call","params":{"name":"greet","arguments":{},"_meta":{"example.org/trace":"t1"}}}';
const nameless = '{"method":"tools/call","params":{"nme":"greet"}}';

/** Returns what the user sees when they send a text and then dismiss what comes back. */
async function send(
  text: string,
  does: { readonly outcome?: ToolOutcome; readonly rejects?: boolean; readonly isSent?: boolean },
) {
  const shown: string[] = [];
  const told: string[] = [];
  const proposed: ToolCall[] = [];
  const records = new TrafficRecords((one) => one);
  const sending = (method: string) => () => {
    if (does.isSent) records.of('demo').note('sent', { jsonrpc: '2.0', id: 1, method });
    return does.rejects ? Promise.reject(new Error('no')) : Promise.resolve({});
  };
  const server: Server = Object.assign(fakeServer({ id: 'demo' }), {
    sendRequest: sending('resources/read'),
    sendNotification: sending('notifications/roots/list_changed'),
  });
  const input: Pick<DocumentInput, 'ask'> = {
    ask: (question: DocumentQuestion) => {
      shown.push(question.text);
      return Promise.resolve({ choice: shown.length === 1 ? 'send' : undefined, text });
    },
  };
  const gate: SendDeps['gate'] = {
    run: async (wanted) => {
      proposed.push(wanted);
      await sending('tools/call')();
      return does.outcome ?? { kind: 'cancelled' };
    },
  };
  await editAndSend(
    server,
    { method: 'ping', params: {} },
    {
      records,
      gate,
      input: input as DocumentInput,
      mask: (one) => one,
      outcomes: { show: async (_call, { kind }) => void told.push(kind) },
      open: async () => void told.push('opened'),
      tellFailure: (error) => told.push(String(error)),
      questions: { stillBy: (action) => action },
    },
    byUser(),
  );
  return { back: shown.slice(1), told, proposed };
}

describe('a request that was edited', () => {
  const { showInformationMessage } = vscode.window;
  const told: string[] = [];
  let answers: string[] = [];

  beforeEach(() => {
    told.length = 0;
    Object.assign(vscode.window, {
      showInformationMessage: (message: string) => {
        told.push(message);
        return Promise.resolve(answers.shift());
      },
    });
  });
  afterEach(() => {
    Object.assign(vscode.window, { showInformationMessage });
  });

  const withdrawn = { kind: 'withdrawn', because: 'serverStopped' } as const;
  const failed = { kind: 'failed', message: () => 'no' } as const;
  for (const [why, text, does, expected] of [
    ['its server does not run', read, { rejects: true }, /no/],
    ['its notification cannot be sent', note, { rejects: true }, /no/],
    ['it names no tool', nameless, {}, /"name" must be/],
    ['the question about it was withdrawn', call, { outcome: withdrawn }, /withdrawn/],
    ['its call failed before it was sent', call, { outcome: failed }, /failed/],
  ] as const)
    it(`comes back as it was written where ${why}`, async () => {
      const seen = await send(text, does);
      assert.deepEqual(seen.back, [text]);
      assert.match(seen.told.join(), expected);
    });

  for (const [what, text, does] of [
    ['request without an answer', read, { rejects: true, isSent: true }],
    ['notification', note, { isSent: true }],
    ['call', call, { outcome: failed, isSent: true }],
  ] as const)
    it(`does not come back once it was sent: a ${what}`, async () => {
      assert.deepEqual((await send(text, does)).back, []);
    });

  it('is called with what was written into its `_meta`', async () => {
    const { proposed } = await send(marked, { isSent: true });
    assert.deepEqual(structuredClone(proposed[0]?.meta), { 'example.org/trace': 't1' });
  });

  it('is offered once more where its document was closed, and not where nothing was edited', async () => {
    answers = ['Edit Again'];
    const shown: string[] = [];
    const left = ['edited', 'edited', 'edited'];
    const ask = ({ text }: DocumentQuestion) => {
      shown.push(text);
      return Promise.resolve({ choice: undefined, text: left.shift() ?? text });
    };
    const input = { ask } as unknown as DocumentInput;
    const draft = { method: 'ping', params: {} };
    const deps = { input, mask: (one: string) => one } as unknown as SendDeps;
    await editAndSend(fakeServer(), draft, deps, byUser());
    assert.deepEqual(shown.slice(1), ['edited']);
    // A text that came back and is closed unchanged was not sent either.
    assert.equal(told.length, 2);
    await editAndSend(fakeServer(), draft, deps, byUser());
    assert.equal(told.length, 3);
    await editAndSend(fakeServer(), draft, deps, byUser());
    assert.equal(told.length, 3);
    assert.equal(shown.length, 4);
  });
});
