import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as vscode from 'vscode';
import { neverAborted, nextTurn } from '../../../src/base/async';
import { CancelledError } from '../../../src/base/errors';
import { silentLogger } from '../../../src/base/log';
import type { Configuration } from '../../../src/config/configuration';
import { Inputs } from '../../../src/config/inputs/inputs';
import { InputValues } from '../../../src/config/inputs/inputValues';
import type { LaunchSurroundings } from '../../../src/config/launch/launchSurroundings';
import { launchLine, type Launch } from '../../../src/config/launch/launch';
import { createLaunches } from '../../../src/config/launch/prepare';
import { mergeLayers } from '../../../src/config/mergeLayers';
import type { Trust } from '../../../src/config/trust/trust';
import { createNodePlatform } from '../../../src/mcp/node/nodePlatform';
import type { Readiness } from '../../../src/mcp/serverState';
import type { Logs } from '../../../src/ui/logs';
import type { Questions } from '../../../src/ui/questions/questions';
import type { Question } from '../../../src/ui/questions/question';
import { createSecrets } from '../../support/fakes/secrets';

interface Case {
  readonly name: string;
  readonly entry: object;
  readonly readiness: Readiness;
  readonly scope?: 'user' | 'folder';
  /** The differences from a trusted window that can start processes. */
  readonly surroundings?: Partial<LaunchSurroundings>;
  /** The message of a start that is refused before the user is asked anything. */
  readonly refused?: RegExp;
}

const run = { command: process.execPath, args: ['main.js'] };
const defined = ['a', 'b', 'c', 'later'].map((id) => ({ id, type: 'promptString' }));
// On the drive of the home folder, where these servers run.
const folder = { uri: 'file:///app', name: 'app', path: resolve(homedir(), '/app') };
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
    name: 'is the user’s own and names a module of a workspace that is not trusted',
    entry: { ...run, env: { NODE_OPTIONS: '--import=/app/main.js' } },
    surroundings: { isTrusted: false, folders: [folder] },
    readiness: 'restricted',
    refused: /^It uses \/app\/main\.js, which belongs to a workspace that is not trusted\.$/,
  },
  {
    name: 'is a process where none can be started',
    entry: run,
    surroundings: { programs: undefined },
    readiness: 'needsProcess',
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

  /** The launches of one server, which its trust may allow to start. */
  function launchesOf(
    entry: object,
    trust: Trust,
    parts: {
      readonly scope?: 'user' | 'folder';
      readonly surroundings?: Partial<LaunchSurroundings> | undefined;
      readonly inputs?: Pick<Inputs, 'read'>;
      readonly values?: Pick<InputValues, 'known'>;
    },
  ) {
    const { scope = 'user', surroundings, inputs, values } = parts;
    const entries = [{ name: 'a', value: entry }];
    const { servers } = mergeLayers([
      { scope, label: 'test', entries, inputs: defined, problems: [] },
    ]);
    const [server] = servers;
    assert.ok(server);
    const launches = createLaunches({
      configuration: { get: () => server } as unknown as Configuration,
      inputs: inputs as unknown as Inputs,
      values:
        values ??
        new InputValues(
          createSecrets(),
          () => [],
          () => undefined,
          () => Promise.resolve(undefined),
        ),
      trust,
      policy: { refusal: () => undefined },
      logs: { hide: () => {} } as unknown as Logs,
      platform,
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
    const { signal } = new AbortController();
    return {
      readiness: () => launches.readiness('a'),
      prepare: () => launches.prepare(server.definition, signal, (answer) => answer),
      handOver: () => launches.handOver(server.definition, signal),
      fingerprint: (config = server.definition.config) =>
        launches.launchFingerprint({ ...server.definition, config }),
    };
  }

  for (const { name, entry, readiness, scope = 'user', surroundings, refused } of cases)
    it(`is "${readiness}" where it ${name}`, async () => {
      const trust: Trust = {
        refusal: ({ layer }) =>
          layer.scope === 'user' ? undefined : 'This workspace is not trusted.',
        check: () => Promise.resolve({ refused: 'asked', why: 'unanswered' }),
        statusOf: () => Promise.resolve('untrusted'),
      };
      const launches = launchesOf(entry, trust, { scope, surroundings });
      assert.equal(await launches.readiness(), readiness);
      if (readiness === 'broken') return;
      const prepared = await launches.prepare();
      assert.match('refused' in prepared ? prepared.refused : '', refused ?? /^asked$/);
      assert.deepEqual(await launches.handOver(), prepared);
      const why = readiness === 'untrusted' ? 'unanswered' : readiness;
      assert.equal('refused' in prepared ? prepared.why : undefined, why);
    });

  it('is what was decided about it with all filled in that decides, also where an input makes it a shell', async () => {
    const { programs } = platform;
    assert.ok(programs);
    const values = new Map([
      ['program', '/bin/sh'],
      ['script', 'exit'],
    ]);
    const asked: string[] = [];
    const isWhole = (launch: Launch) => !launchLine(launch.config).includes('${input:');
    const trust: Trust = {
      refusal: () => undefined,
      check: (_server, launch) => {
        asked.push(launchLine(launch.config));
        return Promise.resolve(isWhole(launch) ? { refused: 'asked' } : undefined);
      },
      statusOf: (_server, launch) => Promise.resolve(isWhole(launch) ? 'untrusted' : 'trusted'),
    };
    const entry = { command: '${input:program}', args: ['-c', '${input:script}'] };
    const launches = launchesOf(entry, trust, {
      surroundings: {
        programs: { ...programs, locate: ({ command }) => Promise.resolve(command) },
      },
      values: { known: (_place, id) => Promise.resolve(values.get(id)) },
      inputs: { read: (_server, id) => Promise.resolve(values.get(id) ?? '') },
    });
    assert.equal(await launches.readiness(), 'untrusted');
    assert.deepEqual(await launches.prepare(), { refused: 'asked' });
    assert.equal(asked.at(-1), '/bin/sh -c exit');
    assert.equal(asked.length, 3);
  });

  it('is the first value that the user does not enter: the others are not asked for', async () => {
    const trust: Trust = {
      refusal: () => undefined,
      check: () => Promise.resolve(undefined),
      statusOf: () => Promise.resolve('trusted'),
    };
    const get = async () => {
      await nextTurn();
      return undefined;
    };
    const asked: string[] = [];
    const questions = {
      ask: ({ info: cause }: Question<unknown>, signal: AbortSignal) => {
        if (!signal.aborted) asked.push(cause.what);
        return Promise.resolve({ kind: 'answered', answer: undefined });
      },
    } as unknown as Questions;
    const stored = new InputValues(
      { ...createSecrets(), get },
      () => [],
      () => undefined,
      () => Promise.resolve(undefined),
    );
    const inputs = new Inputs(stored, {} as Logs, questions);
    const headers = { A: '${input:a}', B: '${input:b}', C: '${input:c}' };
    const launches = launchesOf({ url: 'https://example.com/mcp', headers }, trust, { inputs });
    assert.deepEqual(await launches.prepare(), {
      refused: 'It needs a value that was not entered.',
      why: 'unanswered',
      byUser: true,
    });
    // It comes after all that still wait.
    const entries = [{ name: 'b', value: run }];
    const { servers } = mergeLayers([
      { scope: 'user', label: 'test', entries, inputs: defined, problems: [] },
    ]);
    assert.ok(servers[0]);
    const later = inputs.read(servers[0], 'later', neverAborted(), (answer) => answer);
    await assert.rejects(later, CancelledError);
    assert.deepEqual(asked, ['enter a value for a', 'enter a value for later']);
  });

  it('has decisions bound to what is started, whatever its file of variables says later', async () => {
    const path = await mkdtemp(join(homedir(), '.mcp-workbench-'));
    const envFile = join(path, '.env');
    try {
      const trust: Trust = {
        refusal: () => undefined,
        check: () => Promise.resolve(undefined),
        statusOf: () => Promise.resolve('trusted'),
      };
      const asking: unknown[] = [];
      const launches = launchesOf({ ...run, envFile, env: { B: '${input:a}' } }, trust, {
        inputs: { read: ({ launched }) => Promise.resolve(String(asking.push(launched))) },
      });
      await writeFile(envFile, 'A=first');
      const before = await launches.fingerprint();
      const prepared = await launches.prepare();
      await writeFile(envFile, 'A=second');
      assert.equal('config' in prepared && prepared.launchFingerprint, before);
      const after = await launches.fingerprint();
      assert.notEqual(after, before);
      const again = await launches.prepare();
      // So is who gets the values of inputs.
      const files = asking.map((launched) => Object(launched) as { readonly env?: object });
      assert.deepEqual(
        files.map(({ env }) => env),
        ['first', 'second'].map((A) => ({ A, B: '${input:a}' })),
      );
      assert.equal('config' in again && again.launchFingerprint, after);
    } finally {
      await rm(path, { recursive: true });
    }
  });

  it('shares no decision with one of its id that was configured otherwise', async () => {
    const trust = { refusal: () => undefined } as unknown as Trust;
    const launches = launchesOf(run, trust, {});
    const other = { type: 'stdio', command: 'other', args: [], env: {} } as const;
    assert.notEqual(await launches.fingerprint(other), await launches.fingerprint());
  });
});
