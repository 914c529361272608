import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AppTabs } from '../../../src/apps/panel/appTabs';
import { maxOpenApps } from '../../../src/apps/panel/appTab';
import { AppWebview } from '../../../src/ui/ids';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { until } from '../../support/host/hostApi';
import { fakeServer } from '../../support/fakes/fakeServer';
import { fakeApp, tabDeps } from '../../support/fakes/fakeApp';

describe('the tabs of apps', function () {
  this.timeout(60_000);
  const files = new MemoryFiles('mcp-workbench-test-apps');
  const server = fakeServer();
  const app = fakeApp();
  const tabs = new AppTabs({
    ...tabDeps(files),
    read: (_server, uri, permit) =>
      Promise.resolve(uri === 'ui://no' ? undefined : { app, granted: [], permit }),
  });
  const open = (key: string, uri = app.uri) => tabs.open({ server, uri, key });
  const shown = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith(AppWebview),
      );

  after(async () => {
    tabs.dispose();
    await until(vscode.window.tabGroups.onDidChangeTabs, () => shown().length === 0);
    files.dispose();
  });

  it('leave results to be read as text in an editor without pages', async () => {
    const { window } = vscode;
    const { createWebviewPanel } = window;
    window.createWebviewPanel = () => {
      throw new Error('not here');
    };
    await assert
      .rejects(open('first'), /This editor cannot show apps\. Results of tools are shown as text\./)
      .finally(() => (window.createWebviewPanel = createWebviewPanel));
  });

  it('open nothing that the user does not allow', async () => {
    await open('none', 'ui://no');
    assert.equal(shown().length, 0);
  });

  it('are one for the same call, and bear the names of tool and server', async () => {
    await open('first');
    await open('first');
    await until(vscode.window.tabGroups.onDidChangeTabs, () => shown().length === 1);
    assert.equal(shown()[0]?.label, 'ui://demo/view (demo)');
  });

  it('opens so many apps and no more', async () => {
    for (let i = 1; i < maxOpenApps; i += 1) await open(`${i}`);
    await assert.rejects(open('more'), /20 apps are open\. Close one to open another\./);
    await until(vscode.window.tabGroups.onDidChangeTabs, () => shown().length === maxOpenApps);
  });
});
