import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench } from '../../support/host/hostApi';
import { typeFilter } from '../../support/host/typeFilter';

const escape = () => vscode.commands.executeCommand('mcpWorkbench.cancelFilter');

describe('what is typed as a filter', function () {
  this.timeout(60_000);

  before(activateWorkbench);

  for (const list of ['Resources', 'Traffic', 'ToolLog'])
    it(`stays after a click elsewhere, and is taken back by Escape alone: ${list}`, async () => {
      assert.equal(await typeFilter(list, 'one'), '');
      assert.equal(await typeFilter(list, 'two', escape), 'one');
      assert.equal(await typeFilter(list, ' '), 'one');
      assert.equal(await typeFilter(list, 'three', escape), '');
    });
});
