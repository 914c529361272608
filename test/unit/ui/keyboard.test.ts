import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { View } from '../../../src/ui/ids';
import {
  createPage,
  openFile,
  revealPage,
  showDiff,
  showDocument,
  showText,
  showView,
  type Leave,
} from '../../../src/ui/keyboard';
import { byUser } from '../../../src/ui/questions/question';

const uri = vscode.Uri.file('/a.txt');
const page = { viewType: 'a', title: 'b', viewColumn: 1 };

/** Everything that shows something with or without the keyboard. */
const ways: Readonly<Record<string, (leave: Leave) => unknown>> = {
  'a text': (leave) => showText(uri, leave),
  'a text in a tab of its own': (leave) => showText(uri, leave, { preview: false }),
  'a file': (leave) => openFile(uri, leave),
  'a file in a named editor': (leave) => openFile(uri, leave, { editor: 'default' }),
  'what differs': (leave) => showDiff([uri, uri], 'a', leave),
  'the document of a question': (leave) => showDocument({ uri, comparedWith: undefined }, leave),
  'its changes': (leave) => showDocument({ uri, comparedWith: 'before.txt' }, leave),
  'a view': (leave) => showView(View.servers, leave),
  'a page': (leave) => createPage(leave, page, {}),
  'a page that is there': (leave) =>
    revealPage(
      { reveal: (_column: unknown, preserveFocus: boolean) => note({ preserveFocus }) } as never,
      leave,
    ),
};

let kept: boolean | undefined;
function note(...given: readonly unknown[]): void {
  const options = given.find(
    (one): one is { preserveFocus?: boolean } =>
      typeof one === 'object' && one !== null && 'preserveFocus' in one,
  );
  kept = options?.preserveFocus ?? false;
}

describe('the keyboard', () => {
  const { window, commands } = vscode;
  const own = {
    showTextDocument: window.showTextDocument,
    createWebviewPanel: window.createWebviewPanel,
    tabGroups: window.tabGroups,
  };
  const { executeCommand } = commands;
  before(() => {
    const noted = (...given: readonly unknown[]) => Promise.resolve(note(...given));
    Object.assign(window, { showTextDocument: noted, createWebviewPanel: note });
    Object.defineProperty(window, 'tabGroups', {
      value: { activeTabGroup: {}, all: [] },
      configurable: true,
    });
    Object.assign(commands, { executeCommand: noted });
  });
  after(() => {
    Object.assign(window, {
      showTextDocument: own.showTextDocument,
      createWebviewPanel: own.createWebviewPanel,
    });
    Object.defineProperty(window, 'tabGroups', { value: own.tabGroups, configurable: true });
    Object.assign(commands, { executeCommand });
  });

  for (const [what, show] of Object.entries(ways)) {
    it(`stays where it is without leave: ${what}`, async () => {
      await show(undefined);
      assert.equal(kept, true);
    });

    it(`goes along by an action of the user: ${what}`, async () => {
      await show(byUser());
      assert.equal(kept, false);
    });
  }
});
