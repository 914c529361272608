import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AppTabs } from '../../../src/apps/panel/appTabs';
import { maxOpenApps } from '../../../src/apps/panel/appTab';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { fakeApp, tabDeps } from '../../support/fakes/fakeApp';
import { fakeServer } from '../../support/fakes/fakeServer';

describe('the tabs of many apps', () => {
  const files = new MemoryFiles('mcp-workbench-test-many-apps');
  const { window } = vscode;
  const { createWebviewPanel } = window;
  let panels = 0;
  before('count pages', () => {
    window.createWebviewPanel = () => {
      panels += 1;
      return {
        onDidDispose: () => ({ dispose() {} }),
        dispose() {},
        webview: {
          onDidReceiveMessage: () => ({ dispose() {} }),
          postMessage: () => Promise.resolve(true),
        },
      } as unknown as vscode.WebviewPanel;
    };
  });
  after(() => {
    window.createWebviewPanel = createWebviewPanel;
    files.dispose();
  });

  it('are no more than may be open, also where their servers send all of them at once', async () => {
    const app = fakeApp();
    const tabs = new AppTabs({
      ...tabDeps(files),
      read: () => Promise.resolve({ app, granted: [], permit: undefined }),
    });
    const server = fakeServer();
    const opened = await Promise.allSettled(
      Array.from({ length: maxOpenApps + 5 }, (_, index) =>
        tabs.open({ server, uri: app.uri, key: `${index}` }),
      ),
    );
    tabs.dispose();
    assert.equal(panels, maxOpenApps);
    const refused = opened.flatMap((one) =>
      one.status === 'rejected' ? [String(one.reason)] : [],
    );
    assert.equal(refused.length, 5);
    assert.match(refused.join('\n'), /20 apps are open\. Close one to open another\./);
  });
});
