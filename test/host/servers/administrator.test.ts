import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import {
  activateWorkbench,
  folderNamed,
  processesWith,
  until,
  writeDocument,
} from '../../support/host/hostApi';
import { repositoryRoot } from '../../support/paths';
import { poll } from '../../support/poll';

const policies: Readonly<Record<string, unknown>> = {
  'chat.mcp.deniedServers': [
    { serverName: 'byName' },
    { serverCommand: ['node', '/srv/denied.js', 'byAdministrator'] },
  ],
};

describe("an administrator's word", function () {
  this.timeout(60_000);
  const { getConfiguration } = vscode.workspace;
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';

  /** Changes the configuration, because a policy is only noticed with a change. */
  const change = (value?: number) =>
    getConfiguration().update(
      'mcpWorkbench.tools.maxCallsPerMinute',
      value,
      vscode.ConfigurationTarget.Global,
    );

  /** Simulates an editor with policies, whose values no user can change. */
  const setPolicies = async () => {
    Object.assign(vscode.workspace, {
      getConfiguration: (...args: Parameters<typeof getConfiguration>) => {
        const configuration = getConfiguration(...args);
        if (args[0] !== undefined) return configuration;
        return {
          ...configuration,
          get: (key: string) => policies[key] ?? configuration.get(key),
          inspect: (key: string) => configuration.inspect(key),
        };
      },
    });
    await change(59);
  };

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
  });

  after(async () => {
    Object.assign(vscode.workspace, { getConfiguration });
    await change();
    await writeDocument(file, original);
    await until(
      api.onDidChangeServers,
      () => api.servers.map(({ name }) => name).join() === 'demo,everything,filesystem',
    );
  });

  it('keeps a server from running, by its name and by what its variables stand for', async () => {
    await setPolicies();
    process.env['MCP_WORKBENCH_DENIED'] = '/srv/denied.js';
    const args = ['${env:MCP_WORKBENCH_DENIED}', 'byAdministrator'];
    const servers = {
      byName: { command: 'node', args: ['/srv/other.js', 'byAdministrator'] },
      byVariable: { command: 'node', args },
    };
    await writeDocument(file, JSON.stringify({ servers }));
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'byVariable'));
    assert.ok(!api.servers.some(({ id }) => id === 'byName'));
    await assert.rejects(
      api.startServer('byName'),
      /Disabled by your administrator \(chat\.mcp\.deniedServers: byName\)/,
    );
    const [outcome] = await api.startServer('byVariable');
    assert.match(
      JSON.stringify(outcome),
      /Disabled by your administrator \(chat\.mcp\.deniedServers: node \/srv\/denied\.js byAdministrator\)/,
    );
    assert.deepEqual(await processesWith('byAdministrator'), []);
  });

  /** Returns what *Show Policies* writes down. */
  const policiesText = () => {
    void vscode.commands.executeCommand('mcpWorkbench.showPolicies');
    return poll('the policies', 20_000, () => {
      const document = vscode.window.activeTextEditor?.document;
      return Promise.resolve(
        document?.fileName.endsWith('Policies.txt') ? document.getText() : undefined,
      );
    });
  };

  it('is written down, with the servers that it keeps off', async () => {
    const text = await policiesText();
    assert.match(text, /^ {2}chat\.mcp\.deniedServers: \[\{"serverName":"byName"\}/m);
    assert.match(text, /^ {2}chat\.mcp\.access: not set$/m);
    assert.match(text, /^ {2}byName: chat\.mcp\.deniedServers: byName$/m);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('leaves a team its rules, each of which holds in the form that their page has it in', async () => {
    const page = await readFile(join(repositoryRoot, 'docs', 'administrators.md'), 'utf8');
    const examples = Array.from(page.matchAll(/^```json\n([^]*?)^```/gm), ([, json = '']) => json);
    const rules = JSON.parse(examples[1] ?? '') as Readonly<Record<string, unknown>>;
    const { Workspace } = vscode.ConfigurationTarget;
    const set = async (values: Readonly<Record<string, unknown>>) => {
      for (const [key, value] of Object.entries(values))
        await getConfiguration().update(key, value, Workspace);
    };
    try {
      await set(rules);
      const text = await policiesText();
      const stricter = text.slice(text.indexOf('Made stricter by this workspace'));
      for (const [key, value] of Object.entries(rules))
        assert.ok(
          stricter.includes(`\n  ${key}: ${JSON.stringify(value)}\n`),
          `${key}: ${stricter}`,
        );
    } finally {
      await set(Object.fromEntries(Object.keys(rules).map((key) => [key, undefined])));
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    }
  });
});
