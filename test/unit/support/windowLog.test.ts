import assert from 'node:assert/strict';
import { ownProblems } from '../../support/editor/windowLog';

describe('the log of a window', () => {
  const ours = [
    'error: [mcp-workbench.mcp-workbench]: Menu item references a command that is not defined.',
    'warn: stack trace: Error: no\n  at x (/data/extensions/mcp-workbench.mcp-workbench-0.1.0/dist/sdk.js:1:2)',
    'error: TypeError: no\n  at x (http://127.0.0.1:1/extensions/0/dist/extension.js:1:2)',
    'error: [CHAT] request FAILED mcp-workbench.mcp-workbench 8 Canceled: Canceled\n  at run (http://127.0.0.1:1/workbench.js:1:2)',
    'error: [CHAT] extension request ERRORED in STREAM Canceled: Canceled: Canceled\n  at run (http://127.0.0.1:1/workbench.js:1:2) mcp-workbench.mcp-workbench 9',
  ];
  const others = [
    'log: MCP Workbench in /data/extensions/mcp-workbench.mcp-workbench-0.1.0, extensionMode: Production',
    'error: Activating extension vscode.git-base failed',
    'warn: stack trace: Error: no\n  at x (/data/extensions/mcp-workbench-test.demo-model/extension.js:1:2)',
    'error: Error while getting the latest version for the extension mcp-workbench.mcp-workbench from open-vsx.org',
    'error: [CHAT] request FAILED mcp-workbench.mcp-workbench 8 Canceled: Canceled\n  at s.dispose (http://127.0.0.1:1/workbench.js:1:2)\n  at async x._doStopExtensionHosts (http://127.0.0.1:1/workbench.js:1:3)',
    'error: [CHAT] extension request ERRORED in STREAM Canceled: Canceled: Canceled\n  at s.dispose (http://127.0.0.1:1/workbench.js:1:2)\n  at x.stopOne (http://127.0.0.1:1/workbench.js:1:3) mcp-workbench.mcp-workbench 9',
  ];

  it('has problems of ours and of others', () =>
    assert.deepEqual(ownProblems([...ours, ...others]), ours));
});
