import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { PromptDrafts } from '../../../src/chat/content/promptDrafts';
import { McpChat } from '../../../src/chat/participant/sendPrompt';
import type { HandedPrompt, PromptDraft } from '../../../src/contracts/promptDraft';
import { PromptHistory } from '../../../src/prompts/arguments/promptHistory';
import { PromptDelivery } from '../../../src/prompts/delivery/deliverPrompt';
import { PromptFiles } from '../../../src/prompts/preview/promptFiles';
import { promptParts } from '../../../src/prompts/preview/promptParts';
import { runPrompt, type RunPromptDeps } from '../../../src/prompts/runPrompt';
import type { PromptChat } from '../../../src/ui/editorChat';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';
import { activateWorkbench, writer } from '../../support/host/hostApi';
import { FakeServer } from '../../support/fakes/fakeServer';
import { draft, everyContent, say } from '../../unit/prompts/drafts';
import { newQuestions } from '../../support/host/newQuestions';
import { memoryStore } from '../../support/host/openChat';
import { chatOpened, run, set } from './promptRuns';
import { byUser } from '../../../src/ui/questions/question';

const review = draft([say('user', 'a'), say('assistant', 'b'), say('user', 'c')]);
// The editor lets a scheme be registered only once.
const scheme = 'mcp-workbench-chats';
let memory: MemoryFiles | undefined;

const unused: PromptChat = { sendPrompt: () => Promise.reject(new Error('sent')) };

const questions = { noteAction: () => {} };

/** Delivers the draft like the choice above its preview. */
async function deliver(
  promptChat: PromptChat,
  { messages = review, disk }: { messages?: PromptDraft; disk?: vscode.Uri } = {},
): Promise<void> {
  const promptFiles = new PromptFiles((memory ??= new MemoryFiles(scheme)), nodeFiles, disk);
  const resources = { uriOf: (_server: string, uri: string) => vscode.Uri.parse(uri) };
  const delivery = new PromptDelivery({ promptFiles, promptChat, writer, resources });
  const given = {
    draft: messages,
    parts: promptParts(messages),
    editor: undefined,
    cursors: [],
    isAway: false,
    permit: byUser(),
    redirected: () => Promise.resolve(),
  };
  await delivery.deliver(promptChat === unused ? 'message' : 'chat', given);
}

const handed: HandedPrompt = { draft: review, linked: [], openable: [] };

describe('a prompt for a chat that may not be ours', function () {
  this.timeout(60_000);
  const { showWarningMessage } = vscode.window;
  let told: readonly unknown[][] = [];

  const answerWith = (...answers: (string | undefined)[]) => {
    const all: unknown[][] = [];
    told = all;
    vscode.window.showWarningMessage = (...message: unknown[]) => {
      all.push(message);
      return Promise.resolve(answers.shift()) as Thenable<undefined>;
    };
  };

  before(async () => {
    await (await activateWorkbench()).startServer('*');
    await set('prompts.preview', 'never');
  });

  afterEach(() => {
    vscode.window.showWarningMessage = showWarningMessage;
  });

  after(async () => {
    memory?.dispose();
    await set('prompts.preview', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is one message with roles, sent to whichever chat is open', async () => {
    answerWith(undefined);
    const opening = await chatOpened(() => run('demo', 'conversation', {}, 'message'));
    const { query, isPartialQuery, isNew, previousRequests, attachFiles } = Object(opening);
    assert.deepEqual([isPartialQuery, isNew], [false, false]);
    assert.equal(previousRequests, undefined);
    assert.match(query, /^The prompt "Conversation with a Picture" of the MCP server "demo"/);
    const marks = String(query)
      .split('\n')
      .filter((line) => line.startsWith('==='));
    assert.deepEqual(marks, [
      '=== 1 assistant',
      '=== 2 user',
      '=== 3 user',
      '=== 4 assistant',
      '=== 5 user',
    ]);
    // The window runs on a different machine than its chat, which does not accept images then.
    assert.match(query, /=== 2 user\n\[Not included: image, image\/png/);
    assert.deepEqual(attachFiles, []);
    assert.match(String(told[0]?.[0]), /not attached: image-2\.png\./);
  });

  it('is taken once @mcp was asked for it', async () => {
    const drafts = new PromptDrafts();
    const sent: string[] = [];
    const chat = new McpChat({
      drafts,
      questions,
      isOffered: true,
      open: ({ query }) => {
        const [, words = ''] = /^@mcp \/prompt (Review(?: \(2\))?)$/.exec(query) ?? [];
        sent.push(words);
        assert.equal(drafts.find(`${words} `), handed);
        return Promise.resolve(undefined);
      },
      timeoutMs: 60_000,
    });
    assert.equal(await chat.sendPrompt(handed, byUser()), undefined);
    assert.equal(await chat.sendPrompt(handed, byUser()), undefined);
    assert.deepEqual(sent, ['Review', 'Review (2)']);
  });

  const silent: readonly (readonly [string, ConstructorParameters<typeof McpChat>[0]])[] = [
    [
      'nobody asks for it',
      {
        drafts: new PromptDrafts(),
        questions,
        isOffered: true,
        open: () => Promise.resolve(undefined),
        timeoutMs: 1,
      },
    ],
    [
      'the editor has no participants',
      {
        drafts: new PromptDrafts(),
        questions,
        isOffered: false,
        open: () => Promise.reject(new Error('opened')),
      },
    ],
  ];
  for (const [where, deps] of silent)
    it(`is offered as one message where ${where}`, async () => {
      answerWith('Send to the Agent as One Message', undefined);
      const opening = await chatOpened(async (opened) => {
        await deliver(new McpChat(deps));
        await opened;
      });
      assert.deepEqual(told[0]?.slice(1), ['Send to the Agent as One Message', 'Open as Document']);
      assert.match(String(told[0]?.[0]), /@mcp/);
      assert.match(Object(opening).query, /=== 2 assistant\nb\n\n=== 3 user\nc$/);
    });

  it('is not sent a second time where @mcp was asked for it after all', async () => {
    const drafts = new PromptDrafts();
    const { showInformationMessage } = vscode.window;
    const informed = new Promise<string>((resolve) => {
      vscode.window.showInformationMessage = (message: string) => {
        resolve(message);
        return Promise.resolve(undefined);
      };
    });
    vscode.window.showWarningMessage = <T>(message: string, ...buttons: unknown[]) => {
      assert.match(message, /the prompt "Review" to @mcp/);
      assert.equal(drafts.find('Review')?.draft, review);
      return Promise.resolve(buttons[0] as T);
    };
    try {
      const opening = await chatOpened(async () => {
        await deliver(
          new McpChat({
            drafts,
            questions,
            isOffered: true,
            open: () => Promise.resolve(undefined),
            timeoutMs: 1,
          }),
        );
        assert.match(await informed, /^@mcp has received the prompt "Review"/);
      });
      assert.equal(opening, undefined);
    } finally {
      vscode.window.showInformationMessage = showInformationMessage;
    }
  });

  it('goes to the next time what it was sent to instead, without waiting for @mcp again', async () => {
    const server = new FakeServer({ prompts: [{ name: 'review' }] });
    Object.assign(server, { getPrompt: () => Promise.resolve(review) });
    const promptFiles = new PromptFiles((memory ??= new MemoryFiles(scheme)), nodeFiles, undefined);
    const resources = { uriOf: (_server: string, uri: string) => vscode.Uri.parse(uri) };
    let waits = 0;
    const promptChat: PromptChat = {
      sendPrompt: () => {
        waits += 1;
        return Promise.resolve({ why: 'Nobody.', isTakenNow: () => false });
      },
    };
    const deps = {
      history: new PromptHistory(memoryStore()),
      delivery: new PromptDelivery({ promptFiles, promptChat, writer, resources }),
      questions: Object.assign(newQuestions(), {
        turnedAway: () => false,
        workedElsewhere: () => false,
      }),
      resources,
    } as unknown as RunPromptDeps;
    const entry = { server, prompt: { name: 'review' } };
    let choose: (() => void) | undefined;
    vscode.window.showWarningMessage = () =>
      new Promise((resolve) => (choose = () => resolve('Send to the Agent as One Message')));
    const kept = new Promise<void>((resolve) => {
      const keepTarget = deps.history.keepTarget.bind(deps.history);
      deps.history.keepTarget = async (key, target) => {
        await keepTarget(key, target);
        if (target === 'message') resolve();
      };
    });
    await chatOpened(async () => {
      await runPrompt({ entry, asked: byUser() }, deps);
      choose?.();
      await kept;
    });
    const opening = await chatOpened(() => runPrompt({ entry, asked: byUser() }, deps));
    assert.equal(waits, 1);
    assert.match(Object(opening).query, /=== 2 assistant\nb\n\n=== 3 user\nc$/);
  });

  it('is offered as a document, too', async () => {
    answerWith('Open as Document');
    const shown = new Promise<string>((resolve) => {
      const editors = vscode.window.onDidChangeActiveTextEditor((editor) => {
        if (editor?.document.languageId !== 'markdown') return;
        editors.dispose();
        resolve(editor.document.getText());
      });
    });
    await deliver({
      sendPrompt: () => Promise.resolve({ why: 'Nobody.', isTakenNow: () => false }),
    });
    assert.match(await shown, /## Assistant\n\nb/);
  });

  it('brings its images from the disk of the machine where the chat takes them, in a chat of its own', async () => {
    answerWith(undefined);
    const disk = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'mcp-workbench-images-')));
    const opening = await chatOpened(() =>
      deliver(unused, { messages: draft(everyContent), disk }),
    );
    const { attachFiles, isPartialQuery, isNew } = Object(opening);
    assert.deepEqual([isPartialQuery, isNew], [false, true]);
    const names = (attachFiles as vscode.Uri[]).map(({ path }) =>
      path.slice(path.lastIndexOf('/') + 1),
    );
    assert.deepEqual(names, ['image-2.png', 'audio-3.wav', 'blob.zip']);
    await vscode.workspace.fs.delete(disk, { recursive: true });
  });
});
