import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/log';
import type { Configuration } from '../../../src/config/configuration';
import type { Inputs } from '../../../src/config/inputs/inputs';
import type { LaunchSurroundings } from '../../../src/config/launch/launchSurroundings';
import { createLaunches, type Readiness } from '../../../src/config/launch/prepare';
import { mergeReadings } from '../../../src/config/mergeReadings';
import type { Trust } from '../../../src/config/trust/trust';
import { createNodePlatform } from '../../../src/mcp/node/nodePlatform';
import type { Logs } from '../../../src/ui/logs';

interface Case {
  readonly name: string;
  readonly entry: object;
  readonly readiness: Readiness;
  readonly scope?: 'user' | 'folder';
  /** What differs from a trusted window that can start processes. */
  readonly surroundings?: Partial<LaunchSurroundings>;
  /** What a start says that is refused before anything is asked. */
  readonly refused?: RegExp;
}

const run = { command: process.execPath, args: ['main.js'] };
const folder = { uri: 'file:///app', name: 'app', path: '/app' };
const cases: readonly Case[] = [
  { name: 'was never decided about', entry: run, readiness: 'untrusted' },
  {
    name: 'belongs to a workspace that is not trusted',
    entry: run,
    scope: 'folder',
    readiness: 'restricted',
    refused: /^This workspace is not trusted\.$/,
  },
  {
    name: 'is the user’s own and reaches into a workspace that is not trusted',
    entry: { ...run, cwd: '${workspaceFolder}' },
    surroundings: { isTrusted: false, folders: [folder] },
    readiness: 'restricted',
    refused: /belongs to a workspace that is not trusted/,
  },
  {
    name: 'is a process where none can be started',
    entry: run,
    surroundings: { programs: undefined },
    readiness: 'elsewhere',
    refused: /this window cannot start any/,
  },
  {
    name: 'is an address where no process can be started',
    entry: { url: 'https://example.com/mcp' },
    surroundings: { programs: undefined },
    readiness: 'untrusted',
  },
  {
    name: 'has a command that is nowhere',
    entry: { command: 'no-such-command-anywhere' },
    readiness: 'broken',
  },
];

describe('what stands between a server and its start', () => {
  const platform = createNodePlatform(vscode.Uri.file('/nowhere'), silentLogger);
  after(() => platform.dispose());

  for (const { name, entry, readiness, scope = 'user', surroundings, refused } of cases)
    it(`is "${readiness}" where it ${name}`, async () => {
      const entries = [{ name: 'a', value: entry }];
      const { servers } = mergeReadings([
        { scope, label: 'test', entries, inputs: undefined, problems: [] },
      ]);
      const [server] = servers;
      assert.ok(server);
      const trust: Trust = {
        refusal: ({ reading }) =>
          reading.scope === 'user' ? undefined : 'This workspace is not trusted.',
        check: () => Promise.resolve('asked'),
        standing: () => Promise.resolve('untrusted'),
      };
      const launches = createLaunches({
        configuration: { get: () => server } as unknown as Configuration,
        inputs: undefined as unknown as Inputs,
        trust,
        logs: undefined as unknown as Logs,
        surroundings: () => ({
          env: platform.env,
          programs: platform.programs,
          folders: [],
          isTrusted: true,
          inheritance: 'safe',
          markKey: '',
          ...surroundings,
        }),
      });
      assert.equal(await launches.readiness('a'), readiness);
      if (readiness === 'broken') return;
      const prepared = await launches.prepare(server.definition, new AbortController().signal);
      assert.match('refused' in prepared ? prepared.refused : '', refused ?? /^asked$/);
    });
});
