import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench } from '../../support/host/hostApi';
import { typeFilter } from '../../support/host/typeFilter';

const escape = () => vscode.commands.executeCommand('mcpWorkbench.cancelFilter');

describe('what is typed as a filter', function () {
  this.timeout(60_000);

  before(activateWorkbench);

  for (const [list, view] of [
    ['Resources', 'servers'],
    ['Traffic', 'traffic'],
    ['ToolLog', 'toolLog'],
  ] as const) {
    it(`has its list opened, which may be collapsed, and keeps the keyboard: ${list}`, async () => {
      const { executeCommand } = vscode.commands;
      const run: unknown[][] = [];
      const watched = (...command: Parameters<typeof executeCommand>) => {
        run.push(command);
        return executeCommand(...command);
      };
      Object.assign(vscode.commands, { executeCommand: watched });
      try {
        await typeFilter(list, '');
      } finally {
        Object.assign(vscode.commands, { executeCommand });
      }
      const focused = run.filter(([id]) => String(id).endsWith('.focus'));
      assert.deepEqual(focused, [[`mcpWorkbench.${view}.focus`, { preserveFocus: true }]]);
    });

    it(`stays after a click elsewhere, and is taken back by Escape alone: ${list}`, async () => {
      assert.equal(await typeFilter(list, 'one'), '');
      assert.equal(await typeFilter(list, 'two', escape), 'one');
      assert.equal(await typeFilter(list, ' '), 'one');
      assert.equal(await typeFilter(list, 'three', escape), '');
    });
  }
});
