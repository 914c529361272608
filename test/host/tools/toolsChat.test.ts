import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/log';
import { KeptOutcomes } from '../../../src/chat/content/keptOutcomes';
import { KeptTexts } from '../../../src/chat/content/keptTexts';
import { ModelTools } from '../../../src/chat/offer/modelTools';
import { createHandler } from '../../../src/chat/participant/participant';
import { PromptDrafts } from '../../../src/chat/content/promptDrafts';
import { Retries } from '../../../src/chat/participant/retries';
import { selectTools } from '../../../src/chat/offer/selectTools';
import { startUnknownServers } from '../../../src/chat/participant/startServers';
import { ToolSelection } from '../../../src/chat/offer/toolSelection';
import type { Server } from '../../../src/mcp/server';
import type { Logs } from '../../../src/ui/logs';
import { fakeServer, fakeServers, tool, type FakeServer } from '../../unit/tools/fakeServer';

const selection = new ToolSelection({ get: () => undefined, update: () => Promise.resolve() });

/** A chat whose model fails at first; `ask` gives what it was told and the buttons below the answer. */
function openChat() {
  const servers = fakeServers(fakeServer());
  const keptTexts = new KeptTexts();
  const retries = new Retries<vscode.ChatPromptReference>();
  const decidedBy = { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' } as const;
  const run = () => Promise.resolve({ kind: 'denied', decidedBy } as const);
  const handler = createHandler({
    servers,
    modelTools: new ModelTools({ servers, kept: keptTexts, selection, log: silentLogger, run }),
    keptTexts,
    keptOutcomes: new KeptOutcomes(),
    drafts: new PromptDrafts(),
    retries,
    resourceUri: (_server, uri) => vscode.Uri.parse(uri),
    logs: { extension: silentLogger } as unknown as Logs,
  });
  let asked = 0;
  const ask = async (prompt: string, references: readonly vscode.ChatPromptReference[]) => {
    const buttons: vscode.Command[] = [];
    let told = '';
    const sendRequest = (messages: readonly vscode.LanguageModelChatMessage[]) => {
      told = JSON.stringify(messages);
      asked += 1;
      if (asked === 1) throw new Error('overloaded');
      return Promise.resolve({ stream: [new vscode.LanguageModelTextPart('Here.')] });
    };
    const model = { sendRequest, maxInputTokens: 10_000 };
    const stream = { button: (button: vscode.Command) => buttons.push(button), markdown() {} };
    await handler(
      { prompt, references, model } as unknown as vscode.ChatRequest,
      { history: [] },
      stream as unknown as vscode.ChatResponseStream,
      new vscode.CancellationTokenSource().token,
    );
    return { told, buttons };
  };
  return { ask, retries };
}

describe('the chat', () => {
  it('sends what was attached along when a request is sent again', async () => {
    const { ask, retries } = openChat();
    const references = ['the first note', vscode.Uri.parse('untitled:none')].map((value) => {
      return { id: String(value), value };
    });
    const failed = await ask('What is this?', references);
    const [button] = failed.buttons;
    assert.deepEqual(button?.arguments, ['@mcp What is this?', 2]);
    assert.equal(retries.begin('@mcp What is this?')?.length, 2);
    // The editor takes the file along, and nothing else.
    const again = await ask('What is this?', references.slice(1));
    assert.equal(again.told.split('the first note').length, 2);
    assert.deepEqual(again.buttons, []);
    const anew = await ask('What is this?', []);
    assert.ok(!anew.told.includes('the first note'));
  });

  it('asks once, not with every question, for a server that the person does not let start', async () => {
    let starts = 0;
    const start = () => {
      starts += 1;
      return Promise.resolve({ kind: 'refused', message: 'It was not trusted.' } as const);
    };
    const stopped = { state: { kind: 'stopped' }, tools: { items: [], status: 'empty' }, start };
    const servers = fakeServers({ ...fakeServer(), ...stopped } as unknown as FakeServer);
    const refused = new WeakSet<Server>();
    const stream = { progress() {} } as unknown as vscode.ChatResponseStream;
    const { token } = new vscode.CancellationTokenSource();
    for (const question of [1, 2, 3]) {
      await startUnknownServers(servers, refused, stream, token);
      assert.equal(starts, 1, `question ${question}`);
    }
  });

  it('says of tools that are too large for models that they are not offered', async () => {
    const large = tool({ name: 'large', description: 'x'.repeat(100_001) });
    const servers = fakeServers(fakeServer({ tools: [tool({ description: 'small' }), large] }));
    const { showQuickPick } = vscode.window;
    let details: (string | undefined)[] = [];
    const show = (items: readonly vscode.QuickPickItem[]) => {
      details = items.slice(1).map(({ detail }) => detail);
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showQuickPick: show });
    try {
      await selectTools(servers, selection);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.equal(details[0], 'small');
    assert.match(details[1] ?? '', /^Too large or too deep to be offered to models\. · x/);
  });
});
