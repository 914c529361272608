import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import * as vscode from 'vscode';
import { activateWorkbench, folderNamed, serverNamed, until } from '../../support/host/hostApi';
import { chatInputScheme } from '../../../src/ui/editorChat';
import { built } from '../../support/paths';
import { poll } from '../../support/poll';
import { eras, useAskingServers, type Era } from '../requests/askingServers';

const { executeCommand } = vscode.commands;
const late = 'typeslate';
const settings = () => vscode.workspace.getConfiguration('mcpWorkbench');
const set = async (key: string, value: unknown) =>
  settings().update(key, value, vscode.ConfigurationTarget.Global);

/** So many fields that they are filled in in an editor. */
const manyFields = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 101 }, (_, at) => [`field${at}`, { type: 'string' }]),
  ),
};

/** What others do in the window while the user types. */
interface Trigger {
  readonly what: string;
  /** What the user does for it, before they type. */
  readonly prepare?: () => Promise<unknown>;
  /** Causes it; resolves once the window has what it would be shown for. */
  readonly fire: () => Promise<unknown>;
  /** Undoes what the user did for it. */
  readonly undo?: () => Promise<unknown>;
  /** The title of the question that waits for it; absent if nothing is asked. */
  readonly asks?: RegExp;
}

/** Where the user types. */
interface Place {
  /** Brings the keyboard there, where nothing has been typed yet. */
  readonly open: () => Promise<unknown>;
  /** Resolves once it has all that was typed; fails if the keyboard is seen elsewhere. */
  readonly has: (typed: string) => Promise<unknown>;
  readonly close: () => Promise<unknown>;
  /** What comes last: an Enter in the chat would send the message. */
  readonly end: string;
}

/** Returns a new document, which the user has in front of them. */
function editorPlace(): Place {
  let document: vscode.TextDocument | undefined;
  return {
    open: async () => {
      document = await vscode.workspace.openTextDocument();
      await vscode.window.showTextDocument(document, { preview: false });
    },
    has: async (typed) => {
      assert.equal(vscode.window.activeTextEditor?.document, document, `after “${typed}”`);
      assert.equal(document?.getText().replaceAll('\r', ''), typed);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
    end: '\n.',
  };
}

/** Returns the box for a message to the chat, which the editor shows extensions as a document of its own. */
function chatPlace(): Place {
  const before = 'Say: ';
  const text = () =>
    vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === chatInputScheme)?.getText();
  return {
    open: async () => {
      const query = { query: before, isPartialQuery: true };
      await executeCommand('workbench.action.chat.open', query);
      await poll('the beginning of a message', 20_000, () =>
        Promise.resolve(text() === before || undefined),
      );
    },
    has: (typed) =>
      poll(`“${typed}” in the chat`, 20_000, () =>
        Promise.resolve(text() === before + typed || undefined),
      ),
    close: () => Promise.resolve(executeCommand('deleteAllLeft')),
    end: '.',
  };
}

/** Returns the box for the message of a commit, which the editor shows extensions as a document, too. */
function commitPlace(): Place {
  const control = vscode.scm.createSourceControl('typed', 'Typed', folderNamed('app'));
  const { inputBox } = control;
  return {
    open: async () => {
      inputBox.value = '';
      await executeCommand('workbench.view.scm');
      await executeCommand('workbench.scm.action.focusNextInput');
      // It is drawn only then, and a letter before that would go nowhere.
      await poll('the box of a commit', 20_000, async () => {
        await executeCommand('type', { text: '.' });
        return inputBox.value !== '' || undefined;
      });
      await executeCommand('deleteAllLeft');
    },
    has: (typed) =>
      poll(`“${typed}” in the message of a commit`, 20_000, () =>
        Promise.resolve(inputBox.value.replaceAll('\r', '') === typed || undefined),
      ),
    close: () => Promise.resolve(control.dispose()),
    end: '\n.',
  };
}

describe('somebody who types', function () {
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

  let agent: Client | undefined;
  let agentEntry: { command: string; args: string[]; env: Record<string, string> } | undefined;
  /** Makes an entry for an agent, as the user pastes it into the configuration of the agent. */
  const prepareAgent = async () => {
    const copied = executeCommand('mcpWorkbench.connectAgent');
    (await asks.picks.next(/^Connect an Agent$/)).choose('Another…');
    await copied;
    const { mcpServers } = JSON.parse(await vscode.env.clipboard.readText()) as {
      readonly mcpServers: Readonly<Record<string, typeof agentEntry>>;
    };
    agentEntry = mcpServers['mcp-workbench'];
  };
  const connectAgent = async () => {
    assert.ok(agentEntry);
    const { command, args, env } = agentEntry;
    agent = new Client({ name: 'test-agent', version: '9' });
    const cwd = folderNamed('app').fsPath;
    const own = { PATH: process.env['PATH'] ?? '', ...env };
    await agent.connect(new StdioClientTransport({ command, args, env: own, cwd }));
    // It is not answered before the user has decided; what is asked after it is.
    void agent.listTools().catch(() => {});
    await agent.ping();
  };

  const disconnectAgent = async () => {
    await agent?.close();
    const gone = executeCommand('mcpWorkbench.disconnectAgent');
    (await asks.picks.next(/^Disconnect an Agent$/)).choose('Another agent');
    await gone;
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

  /** True once the user wants to see each request to a model, without another question. */
  let isReviewed = false;
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
      what: 'a server that was slow to start is ready for a call that the user began before',
      fire: async () => {
        const server = serverNamed(await activateWorkbench(), asks.nameOf('everything'));
        const restarted = executeCommand('mcpWorkbench.restartServer', server.id);
        const target = { server: server.name, tool: 'get-tiny-image' };
        void executeCommand('mcpWorkbench.runTool', target);
        await restarted;
        await poll('a call that waits for its answer', 20_000, () =>
          Promise.resolve(server.state === 'running' || undefined),
        );
        for (const text of ['a', 'b']) await done('2026', 'echo', { text });
      },
      asks: /^typeseverything/,
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
      prepare: async () => {
        await done('2025', 'write_note', { name: 'typed', text: 'one' });
        await executeCommand('mcpWorkbench.openResource', await note());
      },
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
    ...(
      [
        ['a form', 'ask_elicitation', { params: { message: 'A', requestedSchema: manyFields } }],
        ['a request to a model', 'ask_sampling', {}],
      ] as const
    ).map(([kind, tool, args]): Trigger => ({
      what: `a call is given up for which ${kind} is open in another group of editors`,
      prepare: async () => {
        const columns = [vscode.ViewColumn.One, vscode.ViewColumn.Two, vscode.ViewColumn.One];
        for (const viewColumn of columns) {
          const document = await vscode.workspace.openTextDocument();
          await vscode.window.showTextDocument(document, { viewColumn, preview: false });
        }
        call('2025', tool, args);
        if (tool === 'ask_sampling' && !isReviewed) {
          await executeCommand('mcpWorkbench.showQuestions');
          (await asks.picks.next(/ asks: use of/)).choose('Review Requests Only');
          isReviewed = true;
        }
        await asks.document();
      },
      fire: async () => {
        for (const asking of calls.splice(0)) asking.cancel();
        await done('2025', 'echo', { text: 'read' });
      },
    })),
    {
      what: 'an agent wants to use the servers for the first time',
      prepare: prepareAgent,
      fire: connectAgent,
      undo: disconnectAgent,
      asks: /^Another agent wants to use your servers/,
    },
    {
      what: 'a page opens a link that adds a server',
      fire: async () => {
        const server = encodeURIComponent(JSON.stringify({ name: 'linked', command: 'node' }));
        void executeCommand('mcpWorkbench.addServer', `vscode:mcp/install?${server}`);
        await done('2026', 'echo', { text: 'read' });
      },
      asks: /link/,
    },
  ];

  /** Types into a place before, while and after something else happens; each letter arrives there, and nothing comes up. */
  const typeThrough = async (
    place: ReturnType<typeof editorPlace>,
    fire: () => Promise<unknown>,
  ) => {
    let typed = '';
    const type = async (text: string) => {
      for (const letter of text) {
        await executeCommand('type', { text: letter });
        typed += letter;
        await place.has(typed);
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
    await type(place.end);
  };

  // A later trigger decides on what the first one asks.
  for (const trigger of triggers)
    for (const [where, makePlace] of [
      ['an editor', editorPlace],
      ['the chat', chatPlace],
      ['the message of a commit', commitPlace],
    ] as const)
      it(`keeps the keyboard and every letter in ${where} while ${trigger.what}`, async () => {
        const { prepare, fire, undo, asks: title } = trigger;
        await prepare?.();
        const place = makePlace();
        await place.open();
        try {
          await typeThrough(place, fire);
        } finally {
          await place.close();
          if (title) {
            await executeCommand('mcpWorkbench.showQuestions');
            (await asks.picks.next(title)).escape();
          }
          await undo?.();
        }
      });
});
