import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { Emitter } from '../../../src/base/event';
import type { CurrentConfiguration } from '../../../src/config/configuration';
import type { ConfigProblem } from '../../../src/config/mergeLayers';
import { keepContextKeys } from '../../../src/servers/contextKeys';
import { setContextKey } from '../../../src/ui/commands';
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
      repeats: [],
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
