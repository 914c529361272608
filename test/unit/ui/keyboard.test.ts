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
  type Permit,
} from '../../../src/ui/keyboard';
import { deferred } from '../../../src/base/async';
import type { FoundDocument } from '../../../src/resources/documents/resourceDocument';
import { saveAs, saveToWorkspace } from '../../../src/resources/commands/saveResources';
import { openWith, pickDocuments } from '../../../src/resources/documents/openResource';
import { toResourceUri } from '../../../src/ui/resourceUri';
import { byUser, type UserAction } from '../../../src/ui/questions/question';

const uri = vscode.Uri.file('/a.txt');
const page = { viewType: 'a', title: 'b', viewColumn: 1 };

/** Everything that shows something with or without the keyboard. */
const ways: Readonly<Record<string, (permit: Permit) => unknown>> = {
  'a text': (permit) => showText(uri, permit),
  'a text in a tab of its own': (permit) => showText(uri, permit, { preview: false }),
  'a file': (permit) => openFile(uri, permit),
  'a file in a named editor': (permit) => openFile(uri, permit, { editor: 'default' }),
  'what differs': (permit) => showDiff([uri, uri], 'a', permit),
  'the document of a question': (permit) => showDocument({ uri, comparedWith: undefined }, permit),
  'its changes': (permit) => showDocument({ uri, comparedWith: 'before.txt' }, permit),
  'a view': (permit) => showView(View.servers, permit),
  'a page': (permit) => createPage(permit, page, {}),
  'a page that is there': (permit) =>
    revealPage(
      { reveal: (_column: unknown, preserveFocus: boolean) => note({ preserveFocus }) } as never,
      permit,
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
    it(`stays where it is without a permit: ${what}`, async () => {
      await show(undefined);
      assert.equal(kept, true);
    });

    it(`goes along by an action of the user: ${what}`, async () => {
      await show(byUser());
      assert.equal(kept, false);
    });
  }
});

describe('what a server was slow to send', () => {
  const { window, commands, workspace } = vscode;
  const document = { name: 'a.txt', uri: 'x:/a', kind: 'text', bytes: new Uint8Array() };
  const found = [{ uri, document }] as unknown as readonly FoundDocument[];
  const both = [...found, ...found];
  const resource = { uri: 'x:/a', name: 'a' };
  const opens = toResourceUri({ serverId: 's', uri: 'x:/a' }, 'a.txt');
  const target = { resource, server: { id: 's', name: 's' }, shown: opens } as never;
  const shown: string[] = [];
  const dialogs = ['showQuickPick', 'showSaveDialog', 'showOpenDialog', 'showWorkspaceFolderPick'];
  const own = Object.fromEntries(dialogs.map((name) => [name, Object(window)[name] as unknown]));
  const { executeCommand } = commands;
  const { workspaceFolders } = workspace;

  before(() => {
    for (const name of dialogs)
      Object.assign(window, { [name]: () => Promise.resolve(void shown.push(name)) });
    const run = (name: string) => Promise.resolve(void shown.push(name));
    Object.assign(commands, { executeCommand: run });
    const folder = { uri, name: 'one', index: 0 };
    Object.defineProperty(workspace, 'workspaceFolders', {
      value: [folder, folder],
      configurable: true,
    });
  });
  after(() => {
    Object.assign(window, own);
    Object.assign(commands, { executeCommand });
    Object.defineProperty(workspace, 'workspaceFolders', {
      value: workspaceFolders,
      configurable: true,
    });
  });

  const lateWays: Readonly<
    Record<string, (sources: never, action: UserAction) => Promise<unknown>>
  > = {
    'a list of its documents': (sources, action) => pickDocuments(sources, action, both, target),
    'the editors that can show it': (sources, action) => openWith(sources, target, action),
    'a dialog to save it': (sources: object, action) =>
      saveAs(found, { ...sources, action } as never),
    'a dialog to save several': (sources: object, action) =>
      saveAs(both, { ...sources, action } as never),
    'the folders to save it to': (sources: object, action) =>
      saveToWorkspace(found, { ...sources, action } as never),
  };
  for (const [what, show] of Object.entries(lateWays))
    it(`waits for a pause of a user who types by then: ${what}`, async () => {
      shown.length = 0;
      const asked = deferred<UserAction>();
      const pause = deferred<UserAction>();
      const action = byUser();
      const untilFree = (by: UserAction) => {
        asked.resolve(by);
        return pause.promise;
      };
      const store = { peek: () => {}, read: () => Promise.resolve({ documents: [document] }) };
      const showing = show({ questions: { untilFree }, store } as never, action);
      assert.equal(await asked.promise, action);
      assert.deepEqual(shown, []);
      pause.resolve(action);
      await showing;
      assert.equal(shown.length, 1);
    });
});
