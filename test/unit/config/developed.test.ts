import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ConfigLayer, Scope } from '../../../src/config/configLayer';
import { mergeLayers } from '../../../src/config/mergeLayers';
import { Setting } from '../../../src/ui/ids';
import { readDeveloped } from '../../../src/ui/settings/readSetting';

const layer = (scope: Scope): ConfigLayer => ({
  scope,
  label: scope,
  uri: `file:///${scope}`,
  entries: [{ name: 'a', value: { command: 'x' } }],
  inputs: undefined,
  problems: [],
});

describe('What the settings of a workspace say of development', () => {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const write = (value: unknown, target: vscode.ConfigurationTarget) =>
    vscode.workspace.getConfiguration().update(Setting.development, value, target);
  afterEach(async () => {
    await write(undefined, Global);
    await write(undefined, Workspace);
  });

  const dev = {
    watch: 'theirs/**',
    protocolVersion: '2025-03-26',
    debug: { type: 'node' },
  };
  for (const [what, whose, scope, user, said] of [
    ['nothing', 'the user configured', 'user', undefined, [undefined, undefined, undefined]],
    [
      'nothing beside what the user says',
      'the user configured',
      'user',
      { watch: 'mine/**' },
      [['mine/**'], undefined, undefined],
    ],
    ...(['workspace', 'folder'] as const).map(
      (place) =>
        [
          'all',
          `the ${place} configured`,
          place,
          { watch: 'mine/**' },
          [['theirs/**'], '2025-03-26', 'node'],
        ] as const,
    ),
  ] as const)
    it(`says ${what} of a server that ${whose}`, async () => {
      await write(user && { a: user }, Global);
      await write({ a: dev }, Workspace);
      const developed = ({ scope: of }: ConfigLayer) => readDeveloped(of === 'user');
      const [server] = mergeLayers([layer(scope)], undefined, developed).servers;
      const config = server?.definition.config;
      assert.deepEqual(
        [
          server?.development?.watch,
          server?.definition.revision,
          config?.type === 'stdio' ? config.debug : undefined,
        ],
        said,
      );
    });
});
