import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { DisabledServer } from '../../../../src/config/configuration';
import { maxKeptOff, policiesText } from '../../../../src/config/switches/policies';

const off = (name: string, why: DisabledServer['why']): DisabledServer => ({
  server: { definition: { name } } as never,
  why,
});
const forbidden = (name: string) =>
  off(name, { kind: 'forbidden', rule: 'chat.mcp.deniedServers: {"serverName":"x"}' });

const none = { path: undefined, file: undefined, problem: undefined };

describe('the policies in force', () => {
  const set = (key: string, value: unknown, target: vscode.ConfigurationTarget) =>
    vscode.workspace.getConfiguration().update(key, value, target);
  const { Global, Workspace } = vscode.ConfigurationTarget;

  const settings: readonly [setting: string, value: unknown, effect: string][] = [
    ['chat.mcp.access', 'none', 'No server runs.'],
    ['chat.mcp.access', 'registry', 'No server runs.'],
    ['chat.mcp.access', 'all', 'Every server may run.'],
    ['chat.mcp.allowedServers', [{ serverName: 'a' }], 'Only servers that match an entry run.'],
    ['chat.mcp.deniedServers', [{ serverName: 'a' }], 'Servers that match an entry do not run.'],
    ['chat.extensionTools.enabled', false, 'Calls that a model or an agent wants are refused.'],
    ['chat.extensionTools.enabled', true, 'Models may call tools.'],
    [
      'chat.mcp.gallery.serviceUrl',
      'https://mcp.corp.example',
      'Add Server… searches this MCP registry.',
    ],
  ];
  for (const [setting, value, effect] of settings)
    it(`say what ${setting} does as ${JSON.stringify(value)}`, () => {
      const text = policiesText({ disabled: [], administrator: none }, (key) =>
        key === setting ? value : undefined,
      );
      assert.ok(text.includes(`  ${setting}: ${JSON.stringify(value)}\n    ${effect}\n`), text);
      assert.equal(text.match(/: not set$/gm)?.length, 4);
    });

  it('name each server that a policy keeps off, with its rule, and no other', () => {
    const disabled = [forbidden('a\u202E'), off('b', { kind: 'disabled', by: 'here' })];
    const text = policiesText({ disabled, administrator: none }, () => undefined);
    assert.match(
      text,
      /^Servers that this keeps off: 1\n {2}a.*U\+202E.*: chat\.mcp\.deniedServers: /m,
    );
    assert.doesNotMatch(text, /^ {2}b/m);
  });

  it('name so many servers at most, and say how many more there are', () => {
    const disabled = Array.from({ length: maxKeptOff + 2 }, (_, at) => forbidden(`s${at}`));
    const text = policiesText({ disabled, administrator: none }, () => undefined);
    assert.match(text, /^Servers that this keeps off: 102$/m);
    assert.equal(text.match(/^ {2}s\d+: /gm)?.length, maxKeptOff);
    assert.match(text, /^ {2}and 2 more$/m);
  });

  const path = '/etc/mcp-workbench/policy.json';
  const ruled = { 'mcpWorkbench.tools.askList': ['*/write_*'] };
  const files: readonly [title: string, administrator: object, lines: string][] = [
    ['that there is no file', { path }, `  ${path}: not there\n`],
    [
      'what a file makes stricter, and where calls are logged',
      { path, file: { settings: ruled, logFolder: '/var/log/mcp' } },
      `  ${path}: It makes settings stricter.\n    mcpWorkbench.tools.askList: ["*/write_*"]\n` +
        '    All calls are also logged to /var/log/mcp.\n',
    ],
    [
      'why a file cannot be kept',
      { path, file: { settings: {} }, problem: () => 'It is not a JSON object.' },
      `  ${path}: No tool is called.\n    It is not a JSON object.\n`,
    ],
  ];
  for (const [title, administrator, lines] of files)
    it(`say ${title}`, () => {
      const state = { disabled: [], administrator: { ...none, ...administrator } };
      assert.ok(policiesText(state, () => undefined).includes(lines));
    });

  it('say what the workspace made stricter, and what the user had', async () => {
    const denyList = 'mcpWorkbench.tools.denyList';
    const calls = 'mcpWorkbench.tools.maxCallsPerMinute';
    await set(denyList, ['mine'], Global);
    await set(denyList, ['theirs'], Workspace);
    // What would be looser has no effect.
    await set(calls, 1000, Workspace);
    try {
      const text = policiesText({ disabled: [], administrator: none }, () => undefined);
      assert.ok(
        text.includes(
          `Made stricter by this workspace\n  ${denyList}: ["mine","theirs"]\n    yours: ["mine"]\n`,
        ),
        text,
      );
      assert.ok(!text.includes(calls));
    } finally {
      for (const [key, target] of [
        [denyList, Global],
        [denyList, Workspace],
        [calls, Workspace],
      ] as const)
        await set(key, undefined, target);
    }
    assert.match(
      policiesText({ disabled: [], administrator: none }),
      /Made stricter by this workspace\n {2}nothing\n/,
    );
  });
});
