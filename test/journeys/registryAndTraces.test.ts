import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { attributesOf, Collector } from '../support/fakes/collector';
import { registered, RegistryServer } from '../support/fakes/registryServer';
import { poll } from '../support/poll';
import { otlpProblems } from '../support/protoJson';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow } from '../support/workbench/serverSteps';

const name = 'io.example/clock';
const versioned = (version: string) =>
  registered(name, {
    version,
    packages: [
      { registryType: 'npm', identifier: '@x/clock', version, transport: { type: 'stdio' } },
    ],
  });

describe('a registry and a collector', function () {
  this.timeout(120_000);
  const registry = new RegistryServer([versioned('1.0.0')]);
  const collector = new Collector();
  const settings: Record<string, unknown> = { 'mcpWorkbench.traces.enabled': true };
  let workspaceFile = '';
  // Before the window opens.
  before(async () => {
    settings['mcpWorkbench.registry'] = await registry.start();
    settings['mcpWorkbench.traces.endpoint'] = await collector.start();
  });
  after(() => {
    registry.stop();
    collector.stop();
  });
  const workbench = useWorkbench({
    settings,
    prepare({ file }) {
      workspaceFile = file;
      return Promise.resolve();
    },
  });

  it('lead from a search to a server, and to its update on its row, seen before it is written', async () => {
    const { quickPick, tree } = workbench();
    await workbench().openView('MCP Workbench');
    await workbench().runCommand('MCP Workbench: Add Server…');
    await quickPick.pick('Search the MCP Registry…');
    await quickPick.waitForMessage(/^What you type is sent to/);
    await quickPick.type('clock');
    await quickPick.waitForActive(name);
    await quickPick.accept();
    await quickPick.waitForMessage(/npx -y @x\/clock@1\.0\.0/);
    await quickPick.accept();
    await quickPick.waitForTitle('Where should "clock" be saved?');
    await quickPick.pick('Workspace Settings');
    await workbench().notification('Added: clock');
    const before = registry.requests.length;

    registry.entries = [versioned('1.0.0'), versioned('1.1.0')];
    await workbench().runCommand('MCP Workbench: Check for Updates');
    await workbench().notification('"clock" can be updated: 1.0.0 → 1.1.0.');
    assert.deepEqual(registry.requests.slice(before), [
      '/v0.1/servers/io.example%2Fclock/versions/latest',
    ]);
    await tree.item('clock', 'Version 1.1.0 is available');
    await workbench().screenshot('registry-update');
    await tree.click('clock', 'Version 1.1.0 is available');
    await quickPick.waitForTitle('Update clock');
    assert.equal(await quickPick.isOffered('Update'), false);
    await quickPick.pick('Show Changes…');
    const changed = workbench().page.locator('.monaco-diff-editor .modified');
    await changed.getByText('@x/clock@1.1.0').first().waitFor();
    await workbench().closeEditor();
    await quickPick.waitForTitle('Update clock');
    assert.ok(!(await readFile(workspaceFile, 'utf8')).includes('1.1.0'));
    await workbench().screenshot('registry-update-question');
    await quickPick.pick('Update');
    await poll('the update in the file', 20_000, async () =>
      (await readFile(workspaceFile, 'utf8')).includes('@x/clock@1.1.0') ? true : undefined,
    );
    await workbench().notification('Updated: clock (1.0.0 → 1.1.0)');
  });

  it('see a call, its question and its requests, as the statistics do', async () => {
    const { chat, quickPick } = workbench();
    await workbench().hideNotifications();
    await startFromRow(workbench(), 'demo', 'Tools');
    await chat.send('@mcp call calculate {"operation":"add","x":2,"y":3}');
    await quickPick.waitForTitle('demo › calculate');
    await quickPick.pick('Allow Once');
    await chat.completed();
    const call = await collector.span('mcp_workbench.call calculate');
    const request = await collector.span('tools/call calculate');
    const question = await collector.span('mcp_workbench.question call');
    const start = await collector.span('mcp_workbench.start');
    assert.deepEqual([request.parentSpanId, question.parentSpanId], [call.spanId, call.spanId]);
    assert.deepEqual([request.traceId, question.traceId], [call.traceId, call.traceId]);
    assert.equal(attributesOf(request)['gen_ai.tool.name'], 'calculate');
    assert.equal(typeof attributesOf(question)['mcp_workbench.user_seconds'], 'number');
    assert.equal(attributesOf(start)['mcp_workbench.outcome'], 'running');
    const handshake = collector.spans.filter(({ parentSpanId }) => parentSpanId === start.spanId);
    assert.ok(handshake.some((span) => /^(?:initialize|server\/discover)$/.test(span.name)));
    // They follow the spans of the same sending.
    await poll('the figures', 20_000, () =>
      Promise.resolve(collector.posts.find(({ path }) => path === '/v1/metrics')),
    );
    for (const { path, body } of collector.posts)
      assert.deepEqual(otlpProblems(path === '/v1/traces' ? 'trace' : 'metrics', body), [], path);
    assert.doesNotMatch(JSON.stringify(collector.posts), /"operation/);

    await workbench().runCommand('MCP Workbench: Show Statistics');
    assert.match(await workbench().editorText('Statistics.mcp-review'), /calculate/);
  });
});
