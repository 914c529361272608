import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import type { Disposable } from '../../../src/base/disposable';
import { Emitter } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import type { CurrentConfiguration } from '../../../src/config/configuration';
import type { ConfigProblem } from '../../../src/config/mergeLayers';
import { createSelectionKeys, keepContextKeys } from '../../../src/servers/contextKeys';
import { registerCommands, runCommand, setContextKey } from '../../../src/ui/commands';
import { Command } from '../../../src/ui/ids';
import type { Logs } from '../../../src/ui/logs';
import { byUser, isUserAction, type UserAction } from '../../../src/ui/questions/question';
import { fakeServer, fakeServers } from '../../support/fakes/fakeServer';

describe('the keys that menus go by', () => {
  const { executeCommand } = vscode.commands;
  const sent: unknown[][] = [];
  beforeEach(() => {
    sent.length = 0;
    Object.assign(vscode.commands, {
      executeCommand: (...command: unknown[]) => {
        sent.push(command.slice(1));
        return Promise.resolve();
      },
    });
  });
  afterEach(() => {
    Object.assign(vscode.commands, { executeCommand });
  });

  it('are sent when they change from what the editor has without being told, and only then', async () => {
    const servers = fakeServers();
    const written = new Emitter<never>();
    const read = new Emitter<CurrentConfiguration>();
    const ready = deferred<void>();
    const none = {
      servers: [],
      duplicates: [],
      problems: [],
      hints: [],
      disabled: [],
      hasFiles: false,
    };
    let current: CurrentConfiguration = none;
    const configuration = {
      onDidChange: read.event,
      ready: ready.promise,
      get current() {
        return current;
      },
    };
    const keys = keepContextKeys({
      servers,
      configuration,
      auditLog: { onDidWrite: written.event },
      platform: { programs: undefined },
      walkthrough: { done: () => undefined },
    });
    const [active, page] = ['mcpWorkbench.active', 'mcpWorkbench.pageOnly'];
    const [has, started] = ['mcpWorkbench.hasServers', 'mcpWorkbench.hasStarted'];
    const stopped = fakeServer();
    stopped.become('stopped');
    const first = [
      [active, true],
      [page, true],
    ];
    assert.deepEqual(sent, first);
    servers.replace(stopped);
    servers.replace(stopped, fakeServer());
    servers.replace(fakeServer());
    servers.replace();
    // The second change of a key waits for the first.
    const settled = () => new Promise((resolve) => setImmediate(resolve));
    await settled();
    const second = [
      [has, true],
      [started, true],
      [has, false],
      [started, false],
    ];
    assert.deepEqual(sent, [...first, ...second]);
    sent.length = 0;
    // Until all places have been read, it is not known whether a server is configured.
    read.fire(none);
    await settled();
    assert.deepEqual(sent, []);
    ready.resolve();
    await settled();
    assert.deepEqual(sent, [['mcpWorkbench.unconfigured', true]]);
    current = { ...none, problems: [{} as ConfigProblem] };
    read.fire(current);
    await settled();
    assert.deepEqual(sent.at(-1), ['mcpWorkbench.unconfigured', false]);
    // If there is a file for servers already, lists that need servers say themselves that there are none.
    current = { ...none, hasFiles: true };
    read.fire(current);
    await settled();
    assert.deepEqual(sent.slice(-2), [
      ['mcpWorkbench.hasFiles', true],
      ['mcpWorkbench.unconfigured', true],
    ]);
    keys.dispose();
  });

  it('say what is selected when that changes, and only then', async () => {
    const [several, mixed] = ['mcpWorkbench.severalSelected', 'mcpWorkbench.mixedSelected'];
    const row = { parent: undefined, isServer: true, server: fakeServer() };
    const other = { id: 'other' };
    const tell = createSelectionKeys();
    for (const [selection, told] of [
      [[row], []],
      [[], []],
      [[row, row], [[several, true]]],
      [[row, row, row], []],
      [[row, other], [[mixed, true]]],
      [
        [other, other],
        [
          [several, false],
          [mixed, false],
        ],
      ],
      [[row], []],
    ] as const) {
      sent.length = 0;
      tell(selection);
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(sent, told);
    }
  });

  it('are set one after the other, however long the editor takes', async () => {
    const done: (() => void)[] = [];
    Object.assign(vscode.commands, {
      executeCommand: (...command: unknown[]) => {
        sent.push(command.slice(1));
        return new Promise<void>((resolve) => done.push(resolve));
      },
    });
    const both = Promise.all([setContextKey('one', false), setContextKey('one', true)]);
    const other = setContextKey('other', 1);
    assert.deepEqual(sent, [
      ['one', false],
      ['other', 1],
    ]);
    while (done.length > 0) {
      done.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([both, other]);
    assert.deepEqual(sent.at(-1), ['one', true]);
  });
});

describe('a command of ours', () => {
  const given: unknown[][] = [];
  const logs = { extension: silentLogger } as unknown as Logs;
  const id = Command.showQuestions;
  const action = byUser();
  const { executeCommand } = vscode.commands;
  let registered: Disposable;
  beforeEach(() => {
    given.length = 0;
    registered = registerCommands(logs, {
      [id]: (...args: readonly [UserAction, ...unknown[]]) => void given.push([...args]),
    });
  });
  afterEach(() => registered.dispose());

  // oxlint-disable-next-line typescript/no-misused-spread -- a copy of it is none
  const copy = { ...action };
  for (const [what, run, isHandedOn, args] of [
    ['that is run by an action', () => runCommand(action, id, 'a'), true, ['a']],
    ['that is run so without anything else', () => runCommand(action, id), true, []],
    ['of whoever runs it', () => executeCommand(id, 'a'), false, ['a']],
    ['with what looks like an action', () => executeCommand(id, copy), false, [copy]],
    ['with what JSON makes of one', () => executeCommand(id, asJson(action)), false, [copy]],
    ['with nothing', () => executeCommand(id, undefined), false, [undefined]],
  ] as const)
    it(`gets the action that was handed on, and a new one by nothing else: ${what}`, async () => {
      await run();
      const [[by, ...rest] = []] = given;
      assert.deepEqual([isUserAction(by), by === action, rest], [true, isHandedOn, args]);
    });
});

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value)) as unknown;
}
