import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';
import { built } from '../../support/paths';
import { eras, useAskingServers, type Era } from '../requests/askingServers';

const { executeCommand } = vscode.commands;
const late = 'typeslate';
const settings = () => vscode.workspace.getConfiguration('mcpWorkbench');
const set = async (key: string, value: unknown) =>
  settings().update(key, value, vscode.ConfigurationTarget.Global);

/** What others do in the window while the user types. */
interface Trigger {
  readonly what: string;
  /** Causes it; resolves once the window has what it would be shown for. */
  readonly fire: () => Promise<unknown>;
  /** The title of the question that waits for it; absent if nothing is asked. */
  readonly asks?: RegExp;
}

describe('somebody who types in an editor', function () {
  this.timeout(120_000);
  const asks = useAskingServers({ prefix: 'types' });
  const calls: ReturnType<typeof asks.call>[] = [];
  const call = (...given: Parameters<typeof asks.call>) => {
    const asking = asks.call(...given);
    calls.push(asking);
    return asking;
  };
  /** Calls a tool that asks; resolves once the question, and all that the server said before another answer, is there. */
  const asked = async (era: Era, tool: string) => {
    call(era, tool);
    await call(era, 'echo', { text: 'read' }).text;
  };
  const done = (era: Era, tool: string, args = {}) => call(era, tool, args).text;
  const note = async () => {
    const api = await activateWorkbench();
    const { id } = serverNamed(api, asks.nameOf('2025'));
    return { serverId: id, uri: 'note:typed' };
  };

  /** Adds a server that cannot start before it has a value, and would start by itself. */
  const addLate = async () => {
    const api = await activateWorkbench();
    const servers = settings().inspect<object>('servers')?.globalValue;
    const args = [built('fixtures', 'demoServer', 'main.js')];
    const entry = { command: process.execPath, args, env: { KEY: '${input:typesKey}' } };
    await set('inputs', [{ id: 'typesKey', type: 'promptString' }]);
    await set('autostartServers', { [late]: 'always' });
    await set('servers', { ...servers, [late]: entry });
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === late));
  };

  before('ask as users have it', async () => {
    await set('questions.show', 'whenIdle');
    const allowed = eras.map((era) => [asks.nameOf(era), 'allow'] as const);
    await set('tools.serverPolicy', Object.fromEntries(allowed));
  });
  after(async () => {
    for (const key of ['inputs', 'autostartServers']) await set(key, undefined);
  });
  afterEach(async () => {
    for (const asking of calls.splice(0)) asking.cancel();
    await executeCommand('workbench.action.revertAndCloseActiveEditor');
    await executeCommand('workbench.action.closeAllEditors');
  });

  const triggers: readonly Trigger[] = [
    {
      what: 'a server asks for a language model',
      fire: () => asked('2025', 'ask_sampling'),
      asks: /use of a language model/,
    },
    {
      what: 'a server asks with a form',
      fire: () => asked('2025', 'ask_elicitation'),
      asks: /asks: Name/,
    },
    {
      what: 'a server asks for a page to be opened',
      fire: () => asked('2025', 'ask_url'),
      asks: /asks/,
    },
    {
      what: 'a result asks with a form',
      fire: () => asked('2026', 'ask_name'),
      asks: /asks/,
    },
    {
      what: 'another chat calls a tool',
      fire: async () => {
        call('everything', 'echo', { message: 'asked' });
        await done('2026', 'echo', { text: 'read' });
      },
      asks: /Echo Tool/,
    },
    {
      what: 'a server that is to start by itself needs a value',
      fire: async () => {
        await addLate();
        await done('2026', 'echo', { text: 'read' });
      },
    },
    {
      what: 'an open resource changes',
      fire: async () => {
        await done('2025', 'write_note', { name: 'typed', text: 'two' });
        await done('2025', 'echo', { text: 'read' });
      },
    },
    {
      what: 'the lists in the tree change',
      fire: async () => {
        for (const tool of ['add_tool', 'add_prompt']) await done('2025', tool);
        await done('2025', 'echo', { text: 'read' });
      },
    },
    { what: 'a task ends', fire: () => done('2025', 'task_report', { steps: 1 }) },
    { what: 'a tool fails', fire: () => done('2025', 'fail', { code: -32000, message: 'no' }) },
    { what: 'a server ends', fire: () => done('2025', 'crash') },
  ];

  for (const { what, fire, asks: title } of triggers)
    it(`keeps the keyboard and every letter while ${what}`, async () => {
      if (what === 'an open resource changes') {
        await done('2025', 'write_note', { name: 'typed', text: 'one' });
        await executeCommand('mcpWorkbench.openResource', await note());
      }
      const document = await vscode.workspace.openTextDocument();
      await vscode.window.showTextDocument(document, { preview: false });
      let typed = '';
      const type = async (text: string) => {
        for (const letter of text) {
          await executeCommand('type', { text: letter });
          typed += letter;
          assert.equal(vscode.window.activeTextEditor?.document, document, `after “${typed}”`);
          assert.deepEqual(
            asks.picks.open.map((pick) => pick.title),
            [],
            `after “${typed}”`,
          );
        }
      };
      await type('before');
      const state = { isFired: false };
      const firing = fire().finally(() => (state.isFired = true));
      do await type('while ');
      while (!state.isFired);
      await firing;
      await type('and after it all');
      // Enter belongs to the text, too.
      await type('\n.');
      assert.equal(document.getText().replaceAll('\r', ''), typed);
      if (!title) return;
      await executeCommand('mcpWorkbench.showQuestions');
      await asks.picks.next(title);
    });
});
