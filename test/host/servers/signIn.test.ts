import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { createSignInNetwork } from '../../../src/mcp/node/signInNetwork';
import type { WorkbenchApi } from '../../../src/api';
import { EditorLinks } from '../../../src/servers/signIn/browserVisits';
import { AuthServer } from '../../fixtures/authServer/authServer';
import { ProtectedServer } from '../../fixtures/authServer/protectedServer';
import {
  activateWorkbench,
  folderNamed,
  serverNamed,
  until,
  writeDocument,
} from '../../support/host/hostApi';
import { Command } from '../../../src/ui/ids';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

/** Creates a quick pick in which the user selects the row `choice` as soon as it is shown. */
function answeredPick(choice: string, shown: string[]): vscode.QuickPick<vscode.QuickPickItem> {
  const accepted = new vscode.EventEmitter<void>();
  const never = new vscode.EventEmitter<never>().event;
  const pick = {
    items: [] as readonly vscode.QuickPickItem[],
    selectedItems: [] as readonly vscode.QuickPickItem[],
    onDidAccept: accepted.event,
    onDidHide: never,
    onDidChangeValue: never,
    onDidChangeActive: never,
    onDidTriggerButton: never,
    show() {
      shown.push(...pick.items.map(({ label }) => label));
      setImmediate(() => {
        pick.selectedItems = pick.items.filter(({ label }) => label === choice);
        accepted.fire();
      });
    },
    dispose: () => accepted.dispose(),
  };
  return pick as unknown as vscode.QuickPick<vscode.QuickPickItem>;
}

describe('the sign-in to a server', function () {
  this.timeout(60_000);
  const { createQuickPick, showErrorMessage, showWarningMessage } = vscode.window;
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';
  let authServer: AuthServer;
  let server: ProtectedServer;
  let shown: string[] = [];
  let told: string[] = [];
  let pressed: string | undefined;

  const answer = (choice: string) => {
    shown = [];
    vscode.window.createQuickPick = (() =>
      answeredPick(choice, shown)) as typeof vscode.window.createQuickPick;
  };
  const untilState = (state: string) =>
    until(api.onDidChangeServers, () => serverNamed(api, 'guarded').state === state);
  const copiedAddress = () =>
    poll('the address', 20_000, async () => {
      const text = await vscode.env.clipboard.readText();
      return text.startsWith('http') ? text : undefined;
    });
  /** Signs in with the copied address, as in another browser on this machine. */
  const signIn = async () => {
    await vscode.env.clipboard.writeText('');
    answer('Copy Address');
    const done = vscode.commands.executeCommand('mcpWorkbench.signIn', 'guarded');
    const page = await fetch(await copiedAddress());
    return { page: await page.text(), outcome: await done };
  };

  before(async () => {
    api = await activateWorkbench();
    authServer = await AuthServer.start();
    server = await ProtectedServer.start(authServer);
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    const tell = (message: string, ...buttons: readonly string[]) => {
      told.push(message);
      return Promise.resolve(buttons.find((one) => one === pressed));
    };
    Object.assign(vscode.window, { showErrorMessage: tell, showWarningMessage: tell });
    const { servers } = JSON.parse(original) as { servers: object };
    const guarded = { type: 'http', url: server.url };
    const fixed = { ...guarded, headers: { Authorization: 'Bearer stale-token' } };
    await writeDocument(file, JSON.stringify({ servers: { ...servers, guarded, fixed } }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'fixed'));
  });

  beforeEach(() => {
    told = [];
    pressed = undefined;
    authServer.behaviour.error = undefined;
    authServer.behaviour.iss = undefined;
    authServer.behaviour.refreshError = undefined;
  });

  after(async () => {
    await vscode.commands.executeCommand('mcpWorkbench.signOut', 'guarded');
    Object.assign(vscode.window, { createQuickPick, showErrorMessage, showWarningMessage });
    await writeDocument(file, original);
    await until(api.onDidChangeServers, () => !api.servers.some(({ id }) => id === 'guarded'));
    await server[Symbol.asyncDispose]();
    await authServer[Symbol.asyncDispose]();
  });

  it('is what a server that wants one waits for', async () => {
    assert.deepEqual(await api.startServer('guarded'), [{ kind: 'needsSignIn' }]);
    assert.equal(serverNamed(api, 'guarded').state, 'needsSignIn');
  });

  it('shows the host first, and leads nowhere when the user does not want to', async () => {
    answer('Not Now');
    await vscode.commands.executeCommand('mcpWorkbench.signIn', 'guarded');
    assert.ok(shown.includes(new URL(authServer.issuer).host), shown.join());
    // It names its whole origin as the resource.
    assert.ok(shown.includes(`Valid for all of ${server.origin}`), shown.join());
    assert.deepEqual(authServer.requestsTo('/authorize'), []);
    // Nobody is told what they have just answered.
    assert.deepEqual(told, []);
  });

  it('that the authorization server refuses says so, and leads to what was sent', async () => {
    authServer.behaviour.error = { error: 'server_error', error_description: 'Closed on Sundays' };
    const { executeCommand } = vscode.commands;
    const ran: unknown[][] = [];
    const noted: typeof executeCommand = (command, ...args) => {
      ran.push([command, args[0]]);
      return executeCommand(command, ...(args as unknown[]));
    };
    Object.assign(vscode.commands, { executeCommand: noted });
    pressed = 'Show Traffic';
    const { page } = await signIn();
    await poll('the traffic', 5000, () =>
      Promise.resolve(ran.find(([name, id]) => name === Command.showTraffic && id === 'guarded')),
    );
    Object.assign(vscode.commands, { executeCommand });
    assert.match(page, /You are not signed in/);
    assert.match(told.join(), /guarded: .*Closed on Sundays/);
    assert.equal(serverNamed(api, 'guarded').state, 'needsSignIn');
  });

  it('takes no answer that another authorization server gave', async () => {
    authServer.behaviour.iss = 'https://other.example';
    const { page } = await signIn();
    assert.match(page, /You are not signed in/);
    assert.match(told.join(), /guarded: The sign-in failed/);
    assert.deepEqual(authServer.requestsTo('/token'), []);
  });

  it('that waits in the browser is offered again by another Sign In, and both get its result', async () => {
    const offer = async (choice: string) => {
      answer(choice);
      const done = vscode.commands.executeCommand('mcpWorkbench.signIn', 'guarded');
      await poll('the offer', 20_000, async () => shown.includes(choice) || undefined);
      return done;
    };
    await vscode.env.clipboard.writeText('');
    const first = offer('Copy Address');
    const address = await copiedAddress();
    await vscode.env.clipboard.writeText('');
    const second = offer('Copy Address');
    assert.equal(await copiedAddress(), address);
    const page = await (await fetch(address)).text();
    assert.match(page, /You are signed in/);
    assert.deepEqual(await Promise.all([first, second]), [
      { kind: 'running' },
      { kind: 'running' },
    ]);
    assert.equal(authServer.requestsTo('/token').length, 1);
    await vscode.commands.executeCommand('mcpWorkbench.signOut', 'guarded');
    assert.deepEqual(await api.startServer('guarded'), [{ kind: 'needsSignIn' }]);
  });

  it('fills the tree', async () => {
    const { page, outcome } = await signIn();
    assert.match(page, /You are signed in/);
    assert.deepEqual(outcome, { kind: 'running' });
    assert.equal(serverNamed(api, 'guarded').tools.length, 3);
  });

  it('that has expired and cannot be renewed is wanted again', async () => {
    authServer.expireAccessTokens();
    authServer.behaviour.refreshError = 'invalid_grant';
    await vscode.commands.executeCommand('mcpWorkbench.restartServer', 'guarded');
    await untilState('needsSignIn');
    assert.deepEqual((await signIn()).outcome, { kind: 'running' });
  });

  it('ends with the address that the user brings where the browser cannot come back', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.signOut', 'guarded');
    await vscode.env.clipboard.writeText('');
    answer('Copy Address');
    const first = vscode.commands.executeCommand('mcpWorkbench.signIn', 'guarded');
    const page = await fetch(await copiedAddress(), { redirect: 'manual' });
    const ended = page.headers.get('location') ?? '';
    const wrong = ended.replace(/state=\w+/, 'state=guessed');

    const { createInputBox } = vscode.window;
    const boxes: vscode.InputBox[] = [];
    vscode.window.createInputBox = () => {
      const box = createInputBox();
      boxes.push(box);
      return box;
    };
    try {
      answer('Paste the Address…');
      const second = vscode.commands.executeCommand('mcpWorkbench.signIn', 'guarded');
      const box = await poll('the box', 20_000, () => Promise.resolve(boxes[0]));
      for (const text of [wrong, ended]) {
        box.value = text;
        await poll('the Enter', 20_000, async () => {
          await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
          if (text === ended) return serverNamed(api, 'guarded').state === 'running' || undefined;
          return box.validationMessage === undefined ? undefined : true;
        });
      }
      assert.deepEqual(await Promise.all([first, second]), [
        { kind: 'running' },
        { kind: 'running' },
      ]);
    } finally {
      vscode.window.createInputBox = createInputBox;
    }
  });

  it('is forgotten by Sign Out', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.signOut', 'guarded');
    assert.equal(serverNamed(api, 'guarded').state, 'stopped');
    assert.deepEqual(await api.startServer('guarded'), [{ kind: 'needsSignIn' }]);
  });

  it('is not offered where a configured header is refused: that is said', async () => {
    const [outcome] = await api.startServer('fixed');
    assert.ok(outcome?.kind === 'failed', JSON.stringify(outcome));
    assert.match(outcome.message, /refuses the configured Authorization header/);
  });
});

describe('what a sign-in is sent through', function () {
  this.timeout(60_000);

  it('is the proxy of the editor, which alone looks up names then', async () => {
    const seen: (string | undefined)[] = [];
    const proxy = createServer().on('connect', ({ url }, socket) => {
      seen.push(url);
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', () => resolve()));
    const { port } = proxy.address() as AddressInfo;
    const settings = vscode.workspace.getConfiguration('http');
    await settings.update('proxy', `http://127.0.0.1:${port}`, vscode.ConfigurationTarget.Global);
    const page = new URL('https://idp.proxy.test/token');
    const send = () =>
      createSignInNetwork()
        .send(page, {}, { name: 'test', admits: async () => false })
        .catch(() => undefined);
    try {
      await poll('a request', 30_000, async () => {
        await send();
        return seen[0];
      });
      assert.equal(seen[0], 'idp.proxy.test:443');
    } finally {
      await settings.update('proxy', undefined, vscode.ConfigurationTarget.Global);
      proxy.closeAllConnections();
      proxy.close();
    }
  });
});

describe('a link of the editor', () => {
  const never = new AbortController().signal;
  const link = (query: string, path = '/callback') => vscode.Uri.from({ scheme: 'x', path, query });

  it('ends the sign-in that waits for its state, and no other', async () => {
    const links = new EditorLinks('publisher.name');
    const callback = await links.open(false);
    assert.match(callback.redirectUrl, /:\/\/publisher\.name\/callback$/);
    const one = callback.wait('one', never);
    const other = await links.open(false);
    const waiting = other.wait('other', never);
    for (const [query, path] of [['state=three&code=c'], ['code=c'], ['state=one', '/other']])
      links.handleUri(link(query ?? '', path));
    links.handleUri(link('state=one&code=c-1'));
    assert.equal((await one).get('code'), 'c-1');
    other.dispose();
    await assert.rejects(waiting, { name: 'CancelledError' });
  });

  it('that adds a server asks what Add Server… asks, and one that cannot be read gets a sentence', async () => {
    await activateWorkbench();
    const { createInputBox, showErrorMessage } = vscode.window;
    const told: string[] = [];
    let box: vscode.InputBox | undefined;
    const picks = watchPicks();
    Object.assign(vscode.window, {
      createInputBox: () => (box = createInputBox()),
      showErrorMessage: (message: string) => {
        told.push(message);
        return Promise.resolve();
      },
    });
    const follow = (server: object) => {
      const query = encodeURIComponent(JSON.stringify({ name: 'linked', ...server }));
      const address = `vscode://mcp-workbench.mcp-workbench/add?${query}`;
      new EditorLinks('publisher.name').handleUri(vscode.Uri.parse(address));
    };
    try {
      follow({ command: 'node', args: ['a&b=100%20#c'], run: true });
      await poll('a sentence', 20_000, () => Promise.resolve(told[0]));
      assert.deepEqual(told, ['This link has an unknown parameter: "run".']);
      assert.equal(box, undefined);
      follow({ command: 'node', args: ['a&b=100%20#c'] });
      const asked = await picks.next(/^Add Server: a link$/);
      assert.deepEqual(asked.labels, ['Not Now', 'Add…']);
      assert.equal(asked.pick.prompt, "A link wants to add linked: node 'a&b=100%20#c'");
      assert.equal(box, undefined);
      asked.choose('Add…');
      const shown = await poll('the question', 20_000, () => Promise.resolve(box));
      assert.equal(shown.value, 'linked');
      assert.equal(shown.prompt, "Name for this server: node 'a&b=100%20#c'");
      await vscode.commands.executeCommand('mcpWorkbench.leaveQuestion');
      const servers = vscode.workspace.getConfiguration('mcpWorkbench').inspect('servers');
      assert.equal(JSON.stringify(servers).includes('linked'), false);
    } finally {
      picks.dispose();
      Object.assign(vscode.window, { createInputBox, showErrorMessage });
    }
  });

  it('is not waited for any more when the user gives up', async () => {
    const abort = new AbortController();
    const waiting = (await new EditorLinks('publisher.name').open(false)).wait('one', abort.signal);
    abort.abort();
    await assert.rejects(waiting, { name: 'CancelledError' });
  });
});
