import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { readTerminalSelection } from '../../../src/ui/editorCommands';

const { commands, env } = vscode;
const { executeCommand } = commands;

describe('the text that is selected in the terminal', function () {
  this.timeout(60_000);
  let before: string;

  beforeEach(async () => {
    before = await env.clipboard.readText();
    await env.clipboard.writeText('mine');
  });
  afterEach(async () => {
    commands.executeCommand = executeCommand;
    await env.clipboard.writeText(before);
  });

  const copies: readonly [what: string, copy: () => Promise<void>, read: string | RegExp][] = [
    ['is copied', async () => env.clipboard.writeText('selected'), 'selected'],
    ['is none', () => Promise.resolve(), ''],
    ['cannot be copied', () => Promise.reject(new Error('no terminal')), /no terminal/],
  ];
  for (const [what, copy, read] of copies)
    it(`leaves the clipboard as it was where it ${what}`, async () => {
      commands.executeCommand = <T>(command: string, ...args: unknown[]) =>
        command === 'workbench.action.terminal.copySelection'
          ? (copy() as Promise<T>)
          : executeCommand<T>(command, ...args);
      if (typeof read === 'string') assert.equal(await readTerminalSelection(), read);
      else await assert.rejects(readTerminalSelection(), read);
      assert.equal(await env.clipboard.readText(), 'mine');
    });
});
