import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import { activateWorkbench } from '../../support/host/hostApi';
import { poll } from '../../support/poll';

const { executeCommand } = vscode.commands;
const { createInputBox } = vscode.window;

describe('what is typed as a filter', function () {
  this.timeout(60_000);
  const boxes: vscode.InputBox[] = [];
  const typed = new Emitter<string>();

  before(activateWorkbench);
  beforeEach(() => {
    vscode.window.createInputBox = () => {
      const box = createInputBox();
      // The editor tells only of what a user has typed.
      Object.assign(box, { onDidChangeValue: typed.event });
      boxes.push(box);
      return box;
    };
  });
  afterEach(() => {
    vscode.window.createInputBox = createInputBox;
  });

  const clickElsewhere = (box: vscode.InputBox) => box.hide();
  const escape = () => executeCommand('mcpWorkbench.cancelFilter');

  for (const list of ['Resources', 'Traffic', 'ToolLog'])
    it(`stays after a click elsewhere, and is taken back by Escape alone: ${list}`, async () => {
      /** Opens the box, types and leaves; resolves to what was in it at first. */
      const type = async (text: string, leave: (box: vscode.InputBox) => unknown) => {
        const gone = executeCommand(`mcpWorkbench.filter${list}`);
        const box = await poll('the box', 20_000, () => Promise.resolve(boxes.pop()));
        typed.fire(text);
        await leave(box);
        await gone;
        return box.value;
      };
      assert.equal(await type('one', clickElsewhere), '');
      assert.equal(await type('two', escape), 'one');
      assert.equal(await type(' ', clickElsewhere), 'one');
      assert.equal(await type('three', escape), '');
    });
});
