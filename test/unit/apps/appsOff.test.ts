import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { AppTabs } from '../../../src/apps/panel/appTabs';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { byUser } from '../../../src/ui/questions/question';
import { tabDeps } from '../../support/fakes/fakeApp';
import { fakeServer } from '../../support/fakes/fakeServer';
import { setSetting } from '../../support/host/toolsSteps';

describe('the tabs of apps where no app is to open', () => {
  const files = new MemoryFiles('mcp-workbench-test-apps-off');
  after(() => files.dispose());
  afterEach('take the setting back', () => setSetting('apps.open', undefined));
  const server = fakeServer();
  const uri = 'ui://demo/view';

  const ways: Readonly<
    Record<string, (tabs: AppTabs, panel: vscode.WebviewPanel) => Promise<void>>
  > = {
    'for a button of an earlier answer': (tabs) =>
      tabs.open({ server, uri, key: 'call', asked: byUser() }),
    'in a tab of an earlier window': (tabs, panel) =>
      tabs.restore(panel, server, { serverId: server.id, uri }),
    'in a tab that is loaded anew': async (tabs, panel) => {
      await tabs.restore(panel, server, { serverId: server.id, uri, isCut: true });
      if (tabs.active) await tabs.load(tabs.active, byUser());
    },
  };
  /** Returns how often an app was read, and what was said in its place. */
  const shownIn = async (mode: 'ask' | 'never', show: (typeof ways)[string]) => {
    await setSetting('apps.open', mode);
    let read = 0;
    const told: string[] = [];
    const tabs = new AppTabs({
      ...tabDeps(files),
      read: () => {
        read += 1;
        return Promise.resolve(undefined);
      },
    });
    const panel = {
      title: '',
      active: true,
      visible: true,
      onDidDispose: () => ({ dispose() {} }),
      dispose() {},
      webview: {
        set html(html: string) {
          told.push(html);
        },
      },
    } as unknown as vscode.WebviewPanel;
    await show(tabs, panel).catch((error: Error) => told.push(error.message));
    tabs.dispose();
    return { read, told: told.join('\n') };
  };

  for (const [how, show] of Object.entries(ways)) {
    it(`read none ${how}`, async () => {
      const { read, told } = await shownIn('never', show);
      assert.equal(read, 0);
      assert.ok(told.includes('No app opens, because of mcpWorkbench.apps.open.'), told);
    });

    it(`read it where apps open ${how}`, async () => {
      assert.equal((await shownIn('ask', show)).read, 1);
    });
  }
});
