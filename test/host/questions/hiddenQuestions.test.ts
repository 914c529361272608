import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { AuthServer } from '../../fixtures/authServer/authServer';
import { ProtectedServer } from '../../fixtures/authServer/protectedServer';
import {
  activateWorkbench,
  folderNamed,
  serverNamed,
  until,
  writeDocument,
} from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { useAskingServers } from '../requests/askingServers';
import { invoke, textOf } from '../../support/host/toolsSteps';

/** The variable that makes a window trust everything; see the sample environment of the tests. */
const trustVariable = 'MCP_WORKBENCH_TRUST_ALL';
const waitMs = 20_000;

const { executeCommand } = vscode.commands;

type Input = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

/** A question on the screen. */
interface Shown {
  readonly input: Input;
  readonly isOpen: boolean;
}

interface Kind {
  readonly name: string;
  /** Makes a server ask, about something else in each `turn`; resolves to the outcome. */
  readonly begin: (turn: number) => PromiseLike<unknown>;
  readonly title: RegExp;
  /** The answer: a row to select or a text to enter. */
  readonly answer: { readonly row: string } | { readonly text: string };
  /** Does what is still needed after the answer. */
  readonly after?: () => Promise<unknown>;
  readonly expected: RegExp;
}

/** What can cover a question; each resolves when it is closed or dismissed. */
const covers: readonly (readonly [string, () => PromiseLike<unknown>])[] = [
  ['the Command Palette', () => executeCommand('workbench.action.showCommands')],
  ['Quick Open', () => executeCommand('workbench.action.quickOpen')],
  [
    'our question that the user asked for',
    () => {
      const args = { operation: 'add', x: 1, y: 2 };
      const target = { server: 'demo', tool: 'calculate', arguments: args };
      return executeCommand('mcpWorkbench.runTool', target);
    },
  ],
];

/** One for each way to lose a question, including losing the focus and a start by the user. */
const turns = [...covers.keys(), covers.length, covers.length + 1];

async function setShow(mode: string | undefined): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('mcpWorkbench.questions');
  await configuration.update('show', mode, vscode.ConfigurationTarget.Global);
}

/** Gives the answer in what the editor shows, like a click, until the question is gone. */
async function take({ answer }: Kind, shown: Shown): Promise<void> {
  const { input } = shown;
  let looks = 0;
  await poll('the end of the question', waitMs, async () => {
    if (!shown.isOpen) return true;
    if ('text' in answer) input.value = answer.text;
    else if ('items' in input && input.activeItems[0]?.label !== answer.row) {
      // The editor may still report the row that was active at first.
      input.activeItems = input.items.filter(({ label }) => label === answer.row);
      looks = 0;
      return undefined;
    }
    // A question that comes back redraws its rows and starts with its default again.
    looks += 1;
    if (looks <= 2) return undefined;
    await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    return undefined;
  });
}

describe('a question that is hidden', function () {
  this.timeout(60_000);
  const asks = useAskingServers({ prefix: 'hides' });
  const asking = asks.nameOf('2025');
  const { createInputBox } = vscode.window;
  const trusts = process.env[trustVariable];
  let boxes: Shown[] = [];
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';
  let authServer: AuthServer;
  let guarded: ProtectedServer;

  const kinds: readonly Kind[] = [
    {
      name: 'the confirmation of a call',
      begin: async () => {
        const args = { operation: 'add', x: 2, y: 3 };
        return textOf(await invoke('callTool', { name: 'demo__calculate', arguments: args }));
      },
      title: /^demo › /,
      answer: { row: 'Allow Once' },
      expected: /5\.00/,
    },
    {
      name: 'the trust in a server',
      begin: (turn) => {
        process.env[trustVariable] = '0';
        return executeCommand('mcpWorkbench.startServer', `fresh${turn}`);
      },
      title: /^Start "fresh/,
      answer: { row: 'Trust and Start' },
      expected: /running/,
    },
    {
      name: 'a value of the configuration',
      begin: (turn) => executeCommand('mcpWorkbench.startServer', `keyed${turn}`),
      title: /^keyed\d needs a value: key/,
      answer: { text: 'a value' },
      expected: /running/,
    },
    {
      name: 'the use of a language model',
      begin: () => asks.call('2025', 'ask_sampling').text,
      title: new RegExp(`^${asking} asks: use of`),
      answer: { row: 'Review This Request' },
      after: async () => {
        const request = await asks.document();
        await asks.choose(request, 'send');
        await asks.choose(await asks.document(), 'return');
      },
      expected: /I am the Demo Model/,
    },
    {
      name: 'a form',
      begin: () => {
        const properties = { name: { type: 'string', title: 'Name' } };
        const requestedSchema = { type: 'object', properties, required: ['name'] };
        const params = { message: 'Who are you?', requestedSchema };
        return asks.call('2025', 'ask_elicitation', { params }).text;
      },
      title: new RegExp(`^${asking} asks: Name`),
      answer: { text: 'Ada' },
      after: async () =>
        (await asks.picks.next(new RegExp(`^${asking} asks.*: Your answer$`))).choose(
          `Send to ${asking}`,
        ),
      expected: /Ada/,
    },
    {
      name: 'a sign-in',
      begin: async () => {
        await vscode.env.clipboard.writeText('');
        await executeCommand('mcpWorkbench.signOut', 'guarded');
        await api.startServer('guarded');
        return executeCommand('mcpWorkbench.signIn', 'guarded');
      },
      title: /^guarded needs you to sign in/,
      answer: { row: 'Copy Address' },
      after: async () => {
        const address = await poll('the address', waitMs, async () => {
          const text = await vscode.env.clipboard.readText();
          return text.startsWith('http') ? text : undefined;
        });
        await (await fetch(address)).text();
      },
      expected: /running/,
    },
    {
      name: 'a form of the user',
      begin: async () => {
        await executeCommand('mcpWorkbench.runTool', { server: 'demo', tool: 'read_note' });
        return poll('what came of the call', waitMs, () => {
          const texts = vscode.workspace.textDocuments.map((document) => document.getText());
          const said = [...texts, ...asks.told].find((text) => text.includes('No note'));
          return Promise.resolve(said);
        });
      },
      title: /^Read Note \(demo\): /,
      answer: { text: 'nobody' },
      after: async () => (await asks.picks.next(/^demo › Read Note/)).choose('Run'),
      expected: /No note nobody/,
    },
  ];

  /** Returns the question as soon as it is on the screen. */
  const shownAs = async (title: RegExp): Promise<Shown> => {
    const findBox = () => boxes.find(({ input }) => title.test(input.title ?? ''));
    const box = poll('a box', waitMs, () => Promise.resolve(findBox()));
    const pick = asks.picks.next(title).then((shown): Shown => {
      return {
        input: shown.pick,
        get isOpen() {
          return shown.isOpen;
        },
      };
    });
    return Promise.any([box, pick]);
  };

  before(async () => {
    api = await activateWorkbench();
    authServer = await AuthServer.start();
    guarded = await ProtectedServer.start(authServer);
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    const main = '${env:MCP_WORKBENCH_DEMO}/out/fixtures/demoServer/main.js';
    const demo = { command: 'node', args: [main] };
    const { servers } = JSON.parse(original) as { servers: object };
    const added = turns.flatMap((turn) => [
      [`fresh${turn}`, { ...demo, env: { TURN: `${turn}` } }] as const,
      [`keyed${turn}`, { ...demo, env: { KEY: `\${input:key${turn}}` } }] as const,
    ]);
    const all = {
      ...servers,
      ...Object.fromEntries(added),
      guarded: { type: 'http', url: guarded.url },
    };
    const inputs = turns.map((turn) => ({ id: `key${turn}`, type: 'promptString' }));
    await writeDocument(file, JSON.stringify({ servers: all, inputs }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'guarded'));
    await api.startServer('demo');
    vscode.window.createInputBox = () => {
      const input = createInputBox();
      const shown = { input, isOpen: true };
      const dispose = input.dispose.bind(input);
      input.dispose = () => {
        shown.isOpen = false;
        dispose();
      };
      boxes.push(shown);
      return input;
    };
  });

  afterEach(() => {
    process.env[trustVariable] = trusts;
    boxes = [];
  });

  after(async () => {
    vscode.window.createInputBox = createInputBox;
    await executeCommand('mcpWorkbench.signOut', 'guarded');
    await writeDocument(file, original);
    await until(api.onDidChangeServers, () => !api.servers.some(({ id }) => id === 'guarded'));
    await guarded[Symbol.asyncDispose]();
    await authServer[Symbol.asyncDispose]();
  });

  // The last one is about something that the user started and is looking at.
  for (const kind of kinds.slice(0, -1))
    it(`is there still where an editor takes the focus, and the letters: ${kind.name}`, async () => {
      // What was typed in the previous test would delay the question.
      await setShow('always');
      const document = await vscode.workspace.openTextDocument({ content: '' });
      await vscode.window.showTextDocument(document);
      let isOver = false;
      const outcome = Promise.resolve(kind.begin(covers.length)).finally(() => (isOver = true));
      const shown = await shownAs(kind.title);
      await executeCommand('workbench.action.focusActiveEditorGroup');
      await setShow(undefined);
      for (const text of ['allow always', '\n', '\n']) await executeCommand('type', { text });
      await executeCommand('workbench.view.explorer');
      assert.ok(shown.isOpen && !isOver);
      await take(kind, shown);
      await Promise.race([kind.after?.(), outcome]);
      assert.match(JSON.stringify(await outcome), kind.expected);
    });

  it('waits while the user types in an editor, and comes up by itself once they have stopped', async () => {
    await setShow('always');
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: '' }));
    await setShow(undefined);
    const [call] = kinds;
    assert.ok(call);
    await executeCommand('type', { text: 'letters' });
    await executeCommand('cursorLeft');
    const outcome = call.begin(0);
    assert.deepEqual(asks.picks.open, []);
    await take(call, await shownAs(call.title));
    assert.match(JSON.stringify(await outcome), call.expected);
  });

  it('is no obstacle to what the user starts meanwhile: its value is asked for at once', async () => {
    const [call, , value] = kinds;
    assert.ok(call && value);
    await setShow('always');
    const outcome = call.begin(0);
    const shown = await shownAs(call.title);
    const hidden = new Promise<void>((resolve) => shown.input.onDidHide(resolve));
    void executeCommand('workbench.action.showCommands');
    await hidden;
    const { id } = serverNamed(api, `keyed${covers.length + 1}`);
    const started = executeCommand('mcpWorkbench.startServer', id);
    await take(value, await shownAs(value.title));
    await started;
    await take(call, shown);
    assert.match(JSON.stringify(await outcome), call.expected);
    await setShow(undefined);
  });

  for (const kind of kinds)
    for (const [turn, [cover, begin]] of covers.entries())
      it(`by ${cover} is not answered by that, and comes back when the user wants it: ${kind.name}`, async () => {
        let isOver = false;
        const outcome = Promise.resolve(kind.begin(turn)).finally(() => (isOver = true));
        const shown = await shownAs(kind.title);
        const hidden = new Promise<void>((resolve) => shown.input.onDidHide(resolve));
        let isLeft = false;
        const leave = () => (isLeft = true);
        begin().then(leave, leave);
        await hidden;
        await executeCommand('mcpWorkbench.showQuestions');
        assert.ok(shown.isOpen && !isOver);
        await take(kind, shown);
        // If it was answered in another way, there is nothing left to do.
        await Promise.race([kind.after?.(), outcome]);
        assert.match(JSON.stringify(await outcome), kind.expected);
        await poll(`the end of ${cover}`, waitMs, async () => {
          if (isLeft) return true;
          await executeCommand('mcpWorkbench.leaveQuestion');
          return undefined;
        });
      });
});
