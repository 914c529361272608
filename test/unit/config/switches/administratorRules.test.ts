import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { inEnglish } from '../../../../src/base/translate';
import { silentLogger } from '../../../../src/base/log';
import {
  AdministratorRules,
  readAdministratorFile,
} from '../../../../src/config/switches/administratorRules';
import { readPolicy } from '../../../../src/gate/createGate';
import { Setting } from '../../../../src/ui/ids';
import type { Logs } from '../../../../src/ui/logs';
import { RootConsents, Roots } from '../../../../src/roots/roots';
import type { WorkspaceWriter } from '../../../../src/ui/files/workspaceWriter';
import { onDidChangeSettings, readAutostart } from '../../../../src/ui/settings/readSetting';
import { type SettingKey, settingRules } from '../../../../src/ui/settings/settingRules';
import { FakeServer, FakeServers } from '../../../support/fakes/fakeServer';
import { createMementoOf } from '../../../support/fakes/memento';

const logs = { extension: silentLogger } as unknown as Logs;

describe('the file of an administrator', () => {
  const valid: readonly [title: string, text: string, read: object][] = [
    ['nothing', '{}', { settings: {} }],
    [
      'rules for tools',
      '{"$schema": "x", "mcpWorkbench.tools.denyList": ["*/drop_*"], "mcpWorkbench.tools.serverPolicy": {"a": "deny"}}',
      {
        settings: {
          'mcpWorkbench.tools.denyList': ['*/drop_*'],
          'mcpWorkbench.tools.serverPolicy': { a: 'deny' },
        },
      },
    ],
    [
      'a collector of traces',
      '{"traces": {"endpoint": "https://otel.example", "headers": {"a": "b"}}}',
      { settings: {}, traces: { endpoint: 'https://otel.example', headers: { a: 'b' } } },
    ],
    ['a log', '{"log": {"folder": "/var/log/mcp"}}', { settings: {}, logFolder: '/var/log/mcp' }],
    [
      'a log on another machine',
      '{"log": {"folder": "\\\\\\\\logs\\\\mcp"}}',
      { settings: {}, logFolder: '\\\\logs\\mcp' },
    ],
    [
      'a log on Windows',
      '{"log": {"folder": "D:\\\\Logs"}}',
      { settings: {}, logFolder: 'D:\\Logs' },
    ],
  ];
  for (const [title, text, read] of valid)
    it(`can hold ${title}`, () => assert.deepEqual(readAdministratorFile(text), read));

  for (const page of ['docs/administrators.md', 'docs/zh-cn/administrators.md'])
    it(`is as the examples on its page have it, like the rules of a team: ${page}`, () => {
      const examples = readFileSync(page, 'utf8').matchAll(/^```json\n([^]*?)^```/gm);
      const read = Array.from(examples, ([, text = '']) => readAdministratorFile(text));
      assert.deepEqual(
        read.map(({ problem }) => problem),
        [undefined, undefined],
      );
    });

  const wrong: readonly [title: string, text: string, problem: RegExp][] = [
    ['is no JSON', '{"mcpWorkbench.tools.denyList": [', /not a JSON object/],
    ['is a list', '[]', /not a JSON object/],
    ['is empty', '', /not a JSON object/],
    [
      'misspells a setting',
      '{"mcpWorkbench.tools.denylist": ["*"]}',
      /"mcpWorkbench\.tools\.denylist" is no setting/,
    ],
    ['names a setting of Object', '{"constructor": 1}', /"constructor" is no setting/],
    [
      'would loosen',
      '{"mcpWorkbench.tools.defaultChoice": "allow"}',
      /no setting that it can make stricter/,
    ],
    ['has another kind of value', '{"mcpWorkbench.tools.denyList": "*"}', /or has no such value/],
    [
      'has a value of which a part is wrong',
      '{"mcpWorkbench.tools.denyList": ["*", 1]}',
      /or has no such value/,
    ],
    [
      'has a policy that there is not',
      '{"mcpWorkbench.tools.serverPolicy": {"a": "no"}}',
      /or has no such value/,
    ],
    ['sends traces to nowhere', '{"traces": {}}', /"traces" must have an "endpoint"/],
    [
      'wants more of traces',
      '{"traces": {"endpoint": "https://otel.example", "content": true}}',
      /"traces" must have/,
    ],
    [
      'has a header that is no text',
      '{"traces": {"endpoint": "https://otel.example", "headers": {"a": 1}}}',
      /"traces" must have/,
    ],
    ...['a\nb', 'a\r', '\0', '中'].map((value): [title: string, text: string, problem: RegExp] => [
      `has a header that cannot be sent: ${JSON.stringify(value)}`,
      JSON.stringify({ traces: { endpoint: 'https://otel.example', headers: { a: value } } }),
      /"traces" must have/,
    ]),
    [
      'has a header of no such name',
      '{"traces": {"endpoint": "https://otel.example", "headers": {"a b": "c"}}}',
      /"traces" must have/,
    ],
    ['logs to nowhere', '{"log": true}', /"log" must name a "folder"/],
    ['logs to a relative path', '{"log": {"folder": "logs"}}', /"log" must name a "folder"/],
    [
      'wants more of the log',
      '{"log": {"folder": "/var/log", "arguments": "all"}}',
      /"log" must name/,
    ],
  ];
  for (const [title, text, problem] of wrong)
    it(`forbids all calls where it ${title}`, () => {
      const file = readAdministratorFile(text);
      assert.match(file.problem?.(inEnglish) ?? '', problem);
      assert.deepEqual(file.settings, {});
    });

  it('can make each setting stricter that a workspace can, and no other', () => {
    for (const [key, { reach, fallback }] of Object.entries(settingRules)) {
      const { problem } = readAdministratorFile(JSON.stringify({ [key]: fallback }));
      assert.equal(problem === undefined, reach === 'tightens', key);
    }
  });
});

describe('the rules of an administrator', () => {
  const { onDidChangeWindowState, showErrorMessage } = vscode.window;
  let focus: () => void = () => {};
  let text: string | undefined | Error;
  let refused: Error | undefined;
  let logged: string[] = [];
  let told: string[] = [];
  let rules: AdministratorRules;
  const files = {
    path: '/etc/mcp-workbench/policy.json',
    read: () => {
      if (text instanceof Error) throw text;
      return text;
    },
    append: (folder: string, line: string) => {
      if (refused) return Promise.reject(refused);
      logged.push(`${folder} ${line}`);
      return Promise.resolve();
    },
  };
  const open = (content: typeof text) => {
    text = content;
    rules = new AdministratorRules(files, logs);
  };
  beforeEach(() => {
    [text, refused, logged, told] = [undefined, undefined, [], []];
    Object.assign(vscode.window, {
      onDidChangeWindowState: (listener: (state: { focused: boolean }) => void) => {
        focus = () => listener({ focused: true });
        return { dispose: () => {} };
      },
      showErrorMessage: (message: string) => {
        told.push(message);
        return Promise.resolve();
      },
    });
  });
  afterEach(() => {
    rules.dispose();
    Object.assign(vscode.window, { onDidChangeWindowState, showErrorMessage });
  });

  it('tighten the settings until the window ends, and follow the file as the window comes to the front', () => {
    open(JSON.stringify({ [Setting.toolDenyList]: ['a/*'], [Setting.autostart]: 'never' }));
    assert.deepEqual(readPolicy(rules).deny, ['a/*']);
    assert.equal(readAutostart('demo'), 'never');
    text = JSON.stringify({ [Setting.toolAskList]: ['b/*'] });
    focus();
    assert.deepEqual([readPolicy(rules).deny, readPolicy(rules).ask], [[], ['b/*']]);
    assert.equal(readAutostart('demo'), 'onDemand');
    text = undefined;
    focus();
    assert.deepEqual([readPolicy(rules).ask, readPolicy(rules).forbids], [[], undefined]);
    open(JSON.stringify({ [Setting.toolAskList]: ['b/*'] }));
    rules.dispose();
    assert.deepEqual(readPolicy().ask, []);
  });

  it('are told to whoever depends on a setting, each time that it changes and at no other', () => {
    open('{}');
    const fired: string[] = [];
    const keys = Object.keys(settingRules) as SettingKey[];
    const listening = keys.map((key) => onDidChangeSettings([key], () => fired.push(key)));
    const take = () => fired.splice(0).toSorted();
    const tightening = keys.filter((key) => settingRules[key].reach === 'tightens');
    const values = Object.fromEntries(tightening.map((key) => [key, settingRules[key].fallback]));
    text = JSON.stringify(values);
    focus();
    assert.deepEqual(take(), tightening.toSorted());
    text = JSON.stringify({ ...values, [Setting.hiddenRoots]: { demo: ['docs'] } });
    focus();
    assert.deepEqual(take(), [Setting.hiddenRoots]);
    text = undefined;
    focus();
    assert.deepEqual(take(), tightening.toSorted());
    for (const one of listening) one.dispose();
  });

  it('say that they changed only where the file has another content, or is there no longer', () => {
    const unread = () => new Error('It cannot be opened.');
    open(undefined);
    let fired = 0;
    rules.onDidChange(() => (fired += 1));
    const contents: readonly [content: typeof text, isOther: boolean][] = [
      [undefined, false],
      ['{}', true],
      ['{}', false],
      ['', true],
      ['', false],
      [unread(), true],
      [unread(), false],
      [new Error('It is a folder.'), true],
      [undefined, true],
      [undefined, false],
    ];
    for (const [at, [content, isOther]] of contents.entries()) {
      [text, fired] = [content, 0];
      focus();
      assert.equal(fired, isOther ? 1 : 0, String(at));
    }
  });

  it('hide roots from a server that runs, at once', async () => {
    const { onDidGrantWorkspaceTrust, onDidChangeWorkspaceFolders } = vscode.workspace;
    const never = () => ({ dispose: () => {} });
    Object.assign(vscode.workspace, {
      onDidGrantWorkspaceTrust: never,
      onDidChangeWorkspaceFolders: never,
      workspaceFolders: [{ uri: vscode.Uri.file('/work/docs'), name: 'docs', index: 0 }],
    });
    open('{}');
    const server = new FakeServer({ id: 'demo' });
    const consents = new RootConsents(createMementoOf());
    const roots = new Roots(
      new FakeServers(server),
      {} as WorkspaceWriter,
      consents,
      () => Promise.resolve(undefined),
      (path) => Promise.resolve(path),
      () => true,
    );
    try {
      assert.equal((await roots.answer(server)).length, 1);
      text = JSON.stringify({ [Setting.hiddenRoots]: { docs: ['*'] } });
      focus();
      assert.deepEqual(roots.rootsOf(server), []);
      assert.equal(server.rootsChanges, 1);
    } finally {
      roots.dispose();
      Object.assign(vscode.workspace, {
        workspaceFolders: undefined,
        onDidGrantWorkspaceTrust,
        onDidChangeWorkspaceFolders,
      });
    }
  });

  it('cannot loosen what the user has', async () => {
    const { Global } = vscode.ConfigurationTarget;
    const key = Setting.toolMaxCallsPerMinute;
    await vscode.workspace.getConfiguration().update(key, 5, Global);
    try {
      open(JSON.stringify({ [key]: 1000, [Setting.toolServerPolicy]: { demo: 'allow' } }));
      assert.equal(readPolicy(rules).maxCalls.minute, 5);
      assert.deepEqual(readPolicy(rules).servers, { demo: 'ask' });
    } finally {
      await vscode.workspace.getConfiguration().update(key, undefined, Global);
    }
  });

  it('forbid all calls while they cannot be read, which is said once', () => {
    open(new Error('It cannot be opened.'));
    focus();
    assert.equal(readPolicy(rules).forbids, 'all');
    assert.deepEqual(told, [
      'No tool is called, because the rules of your administrator in /etc/mcp-workbench/policy.json cannot be kept. It cannot be opened.',
    ]);
    for (const mended of ['{}', undefined]) {
      open(new Error('It cannot be opened.'));
      text = mended;
      focus();
      assert.equal(readPolicy(rules).forbids, undefined);
    }
  });

  it('have each record logged, and forbid all calls from the first that cannot be', async () => {
    open(JSON.stringify({ log: { folder: '/var/log/mcp' } }));
    await rules.log({ kind: 'callBegun' });
    assert.match(
      logged.join(''),
      /^\/var\/log\/mcp \{"kind":"opened".*\}\n\/var\/log\/mcp \{"kind":"callBegun"\}\n$/,
    );
    refused = new Error('The disk is full.');
    await assert.rejects(rules.log({ kind: 'callBegun' }), /The disk is full\./);
    assert.equal(readPolicy(rules).forbids, 'all');
    assert.match(told.join(), /The log in \/var\/log\/mcp cannot be written: The disk is full\.$/);
    refused = undefined;
    focus();
    await rules.log({ kind: 'callAsked' });
    assert.equal(readPolicy(rules).forbids, undefined);
  });
});
