import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WebAddress } from '../../../src/mcp/http/webAddress';
import { openAddress } from '../../../src/ui/editorCommands';

describe('what is opened outside of the editor', () => {
  const { env } = vscode;
  const open = (href: string) => openAddress({ href } as WebAddress);
  const opened: unknown[] = [];
  beforeEach(() => {
    opened.length = 0;
    Object.assign(env, { openExternal: async (one: unknown) => opened.push(one) > 0 });
  });

  for (const address of ['https://a.example/x%2Fy?q=%20#z', 'http://127.0.0.1:8/a'])
    it(`is a page, exactly as it is written: ${address}`, async () => {
      assert.equal(await open(address), true);
      assert.deepEqual(opened, [address]);
    });

  for (const address of [
    'file:///usr/bin/x',
    'command:workbench.action.quit',
    'vscode://a.b/c',
    'javascript:alert(1)',
    'data:text/html,x',
    'ms-settings:',
    'smb://a/b',
    ' file:///a',
    '/usr/bin/x',
    '',
  ])
    it(`is nothing else, whoever asks for it: ${JSON.stringify(address)}`, async () => {
      await assert.rejects(open(address));
      assert.deepEqual(opened, []);
    });
});
