import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Disposable } from '../../../src/base/disposable';
import { silentLogger } from '../../../src/base/log';
import type { Configuration } from '../../../src/config/configuration';
import { failedOutcome } from '../../../src/gate/toolGate';
import { notStarted, type StartOutcome } from '../../../src/mcp/serverState';
import { PromptHistory } from '../../../src/prompts/arguments/promptHistory';
import { runPrompt, type RunPromptDeps } from '../../../src/prompts/runPrompt';
import { registerRemoveCommand } from '../../../src/servers/removeServer';
import { registerServerCommands } from '../../../src/servers/serverCommands';
import { registerSwitchCommands } from '../../../src/servers/switchCommands';
import { ConfiguredStarts } from '../../../src/servers/configuredStarts';
import { createApi } from '../../../src/api';
import type { CallsFile } from '../../../src/calls/format/calls';
import type { Starts } from '../../../src/contracts/starts';
import { currentEntry } from '../../../src/prompts/runRequest';
import { openCallsSession, type SessionDeps } from '../../../src/testing/sessions';
import { StartPolicy } from '../../../src/config/launch/startPolicy';
import { Outcomes, type OutcomeDeps } from '../../../src/tools/run/outcomes';
import { reportError } from '../../../src/ui/commands';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import type { WorkspaceWriter } from '../../../src/ui/files/workspaceWriter';
import type { Logs } from '../../../src/ui/logs';
import { byUser, type UserAction } from '../../../src/ui/questions/question';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';
import { startsThatEnd } from '../../support/fakes/fakeStarts';
import { createMemento } from '../../support/fakes/memento';

describe('a start by hand', () => {
  for (const [what, end] of [
    ['it succeeds', () => Promise.resolve()],
    ['it fails', () => Promise.reject(new Error('no'))],
  ] as const)
    it(`is over with its end, so that what is asked later is not for it, where ${what}`, async () => {
      const told: string[] = [];
      const policy = new StartPolicy({
        noteAction: (...[id]) => void told.push(`begun ${id}`),
        noteStarted: (id) => void told.push(`ended ${id}`),
      });
      const start = policy.startByHand(['a', 'b'], byUser(), async () => {
        told.push('start');
        await end();
      });
      await start.catch(() => {});
      assert.deepEqual(told, ['begun a', 'begun b', 'start', 'ended a', 'ended b']);
      assert.ok(policy.isWanted('a'));
    });

  const server = new FakeServer({ id: 'a' }).definition;
  const start = (policy: StartPolicy) =>
    policy.startByHand(['a'], byUser(), () => Promise.resolve());
  const beside = (policy: StartPolicy) =>
    policy.besideByHand(['a'], byUser(), () => Promise.resolve());
  const stop = (policy: StartPolicy) => policy.stoppedByHand('a');
  const decline = (policy: StartPolicy) => policy.declined('a');
  for (const [what, steps, isWanted, why] of [
    ['is what counts once it was asked for', [start], true, undefined],
    ['counts again after a stop', [stop, start], true, undefined],
    ['ends with a stop', [start, stop], false, 'stoppedByUser'],
    ['ends with a launch that is declined', [start, decline], false, undefined],
    ['takes back no stop where it is for another process', [stop, beside], false, 'stoppedByUser'],
    ['takes back no stop by being declined', [stop, decline], false, 'stoppedByUser'],
  ] as const)
    it(what, async () => {
      const policy = new StartPolicy({ noteAction: () => {}, noteStarted: () => {} });
      for (const step of steps) await step(policy);
      assert.deepEqual([policy.isWanted('a'), policy.refusal(server)?.why], [isWanted, why]);
    });
});

describe('a start that something else than the user begins', () => {
  const server = new FakeServer({ id: 'a', name: 'a' });
  const servers = new FakeServers(server);
  const { isTrusted } = vscode.workspace;
  before(() => Object.assign(vscode.workspace, { isTrusted: true }));
  after(() => Object.assign(vscode.workspace, { isTrusted }));
  beforeEach(() => server.become('stopped'));

  /** Everything that starts a server for others than the user, too. */
  const callers: Record<
    string,
    (starts: Starts, asked: UserAction | undefined) => Promise<unknown>
  > = {
    'a prompt': (starts, asked) => currentEntry({ server, prompt: { name: 'p' } }, starts, asked),
    'saved calls in the session that is running': (starts, asked) =>
      openCallsSession(
        {
          uri: vscode.Uri.file('/w/a.mcp-calls.jsonc'),
          file: {
            server: { kind: 'workspace', name: 'a' },
            session: 'running',
            variables: {},
            steps: [],
          } as unknown as CallsFile,
          steps: [],
          signal: new AbortController().signal,
          agreed: new Set(),
        },
        {
          servers,
          starts,
          asked,
          consent: { allows: () => Promise.resolve(false) },
        } as unknown as SessionDeps,
      ),
    'another extension': (starts) => createApi(servers, starts).startServer('a'),
  };
  for (const [caller, run] of Object.entries(callers))
    for (const action of caller === 'another extension' ? [undefined] : [undefined, byUser()])
      it(`leaves what they stopped, and the keyboard, alone, but where they began it: ${caller}, ${action ? 'by the user' : 'by another'}`, async () => {
        const noted: unknown[] = [];
        const policy = new StartPolicy({
          noteAction: (...started) => void noted.push(started),
          noteStarted: () => {},
        });
        policy.stoppedByHand('a');
        const configuration = { ready: Promise.resolve() } as unknown as Configuration;
        let began = 0;
        const owned = Object.assign(servers, {
          beside: () => undefined,
          start: () => {
            began += 1;
            const refused = policy.refusal(server.definition);
            const message = refused?.refused ?? '';
            return Promise.resolve([refused ? { kind: 'refused', message } : { kind: 'running' }]);
          },
        });
        const launches = { readiness: () => Promise.resolve('ready' as const) };
        const starts = new ConfiguredStarts(owned, { configuration, launches }, policy);
        const outcome = await run(starts, action).catch(() => undefined);
        assert.equal(began, 1, String(outcome));
        assert.equal(policy.isWanted('a'), action !== undefined);
        assert.deepEqual(noted, action ? [['a', action]] : []);
      });
});

describe('what a user has just answered', () => {
  const told: string[] = [];
  const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
  const tell = (text: string) => {
    told.push(text);
    return Promise.resolve(undefined);
  };
  beforeEach(() => {
    told.length = 0;
    Object.assign(vscode.window, {
      showErrorMessage: tell,
      showWarningMessage: tell,
      showInformationMessage: tell,
    });
  });
  after(() => {
    Object.assign(vscode.window, { showErrorMessage, showWarningMessage, showInformationMessage });
  });

  const server = new FakeServer({ name: 'a' });
  const tool = { name: 't', inputSchema: {} };
  const logs = { extension: { error() {} } } as unknown as Logs;
  const outcomeOf = (isTheirs: boolean): StartOutcome => ({
    kind: 'refused',
    message: 'It was not trusted.',
    ...(isTheirs && { byUser: true }),
  });
  const ways: Record<string, (outcome: StartOutcome) => Promise<unknown>> = {
    'a start': (outcome) => startsThatEnd([server], () => outcome).startAndTell([server], byUser()),
    'a command': (outcome) => {
      reportError(notStarted(outcome, 'It is not running.'), logs);
      return Promise.resolve();
    },
    'a call': (outcome) => {
      const call = {
        server,
        tool,
        arguments: {},
        origin: { kind: 'user', action: undefined },
      } as const;
      const error = notStarted(outcome, 'It is not running.');
      const failed = failedOutcome(error, new AbortController().signal);
      const outcomes = new Outcomes(new MemoryFiles('mcp-result'), {} as OutcomeDeps);
      return outcomes.show(call, failed, byUser()).finally(() => outcomes.dispose());
    },
    'a prompt': (outcome) => {
      server.become('stopped');
      const entry = { server, prompt: { name: 'p' } };
      const deps: Partial<RunPromptDeps> = {
        history: new PromptHistory(createMemento()),
        starts: { start: () => Promise.resolve([outcome]) },
        launches: { readiness: () => Promise.resolve('untrusted') },
      };
      return runPrompt({ entry }, deps as RunPromptDeps);
    },
  };
  it('is told of apart from others, which are told of in one sentence where the reason is one', async () => {
    const servers = ['a', 'b', 'c', 'd'].map((name) => new FakeServer({ name }));
    const messages = ['It is stopped.', undefined, 'It is stopped.', 'It is gone.'];
    const refusals = messages.values();
    const starts = startsThatEnd(servers, () => {
      const message = refusals.next().value;
      return message === undefined ? outcomeOf(true) : { kind: 'refused', message };
    });
    await starts.startAndTell(servers, byUser());
    assert.deepEqual(told, [
      '2 servers were not started: a, c. The reason for each: It is stopped.',
      '"d" was not started. It is gone.',
    ]);
  });

  for (const [way, run] of Object.entries(ways))
    it(`is not told back to them, where it ended ${way}, and what they were not asked about is`, async () => {
      await run(outcomeOf(true));
      assert.deepEqual(told, []);
      await run(outcomeOf(false));
      assert.equal(told.length, 1);
    });
});

describe('a command of servers that is run on a row', () => {
  const { showQuickPick } = vscode.window;
  const all = ['a', 'b', 'c'].map((id) => new FakeServer({ id, name: id }));
  const [a, b, c] = all.map((server) => ({
    id: server.id,
    parent: undefined,
    server,
    isServer: true,
  }));
  const tool = { id: 'c/tool', parent: c, server: c?.server };
  const layer = { label: 'here', entries: [] };
  const known = all.map(({ definition }) => ({ definition, layer }));
  const configuration = {
    ready: Promise.resolve(),
    current: { servers: known, disabled: [], duplicates: [] },
    get: (id: string) => known.find(({ definition }) => definition.id === id),
  } as unknown as Configuration;
  const logs = { extension: silentLogger } as unknown as Logs;
  let asked: string[] = [];
  let stopped: string[] = [];
  const reasons: unknown[] = [];
  let registered: Disposable[] = [];
  beforeEach(() => {
    [asked, stopped] = [[], []];
    reasons.length = 0;
    for (const server of all) {
      server.become('running');
      server.stop = (...why: unknown[]) => Promise.resolve(void reasons.push(...why));
    }
    const questions = {
      ask: ({ info }: { readonly info: { readonly what: string } }) => {
        asked.push(info.what);
        return Promise.resolve({ kind: 'withdrawn', reason: 'windowClosed' } as const);
      },
    };
    Object.assign(vscode.window, {
      showQuickPick: (rows: readonly vscode.QuickPickItem[], { title = '' }) => {
        asked.push(title);
        return Promise.resolve(rows[1]);
      },
    });
    const policy = { stoppedByHand: (id: string) => stopped.push(id) };
    const shared = { configuration, questions, logs, servers: new FakeServers(...all), policy };
    const deps = shared as unknown as Parameters<typeof registerServerCommands>[0] &
      Parameters<typeof registerSwitchCommands>[0] &
      Parameters<typeof registerRemoveCommand>[0];
    registered = [
      registerServerCommands(deps),
      registerSwitchCommands(deps),
      registerRemoveCommand(deps),
    ];
  });
  afterEach(() => {
    for (const one of registered) one.dispose();
    Object.assign(vscode.window, { showQuickPick });
  });

  for (const [what, target, selection, meant, isAsked] of [
    ['of a server', c, undefined, ['c'], false],
    ['of a server outside of the selection', c, [a, b], ['c'], false],
    ['below a server, outside of the selection', tool, undefined, ['b'], true],
    ['below a server, beside those that are selected', tool, [a, b], ['b'], true],
    ['below a server, as part of the selection', tool, [a, b, tool], ['a', 'b'], false],
  ] as const)
    it(`stops the servers that are meant, where the row is one ${what}`, async () => {
      await vscode.commands.executeCommand('mcpWorkbench.stopServer', target, selection);
      assert.deepEqual([stopped, asked], [meant, isAsked ? ['Stop Server'] : []]);
      // Their state says so from now on, and not only once another start is refused.
      assert.deepEqual(
        reasons,
        meant.map(() => 'stoppedByUser'),
      );
    });

  for (const [command, title] of [
    ['mcpWorkbench.disableServer', 'Disable Server'],
    ['mcpWorkbench.removeServer', 'Remove Server'],
  ] as const)
    it(`asks which server is meant on a row below one: ${command}`, async () => {
      await vscode.commands.executeCommand(command, tool);
      assert.deepEqual(asked, [title]);
    });
});

describe('a server that is removed', () => {
  const { executeCommand } = vscode.commands;
  afterEach(() => Object.assign(vscode.commands, { executeCommand }));
  const written = { label: 'a.json', uri: 'file:///w/a.json', entries: [] };
  for (const [what, unwritten, isYes, done, isOff] of [
    ['a file', undefined, true, ['replaceText', 'sign out']],
    ['a file, switched off', undefined, true, ['replaceText', 'sign out'], 'disabled'],
    ['a file, where it could not be used', undefined, true, ['replaceText', 'forget a'], 'broken'],
    ['a file, where another has its id', undefined, true, ['replaceText'], 'duplicate'],
    ['a file, where the user keeps it', undefined, false, []],
    ['the demo', 'demo', true, ['mcpWorkbench.removeDemo', 'sign out']],
    ['a recording', 'recording', true, ['mcpWorkbench.removeRecording', 'sign out']],
  ] as const)
    it(`leaves nothing to compare a later one with, once it is gone from ${what}`, async () => {
      const seen: string[] = [];
      const { definition } = new FakeServer({ id: 'a', name: 'a' });
      const layer = { ...written, ...(unwritten && { unwritten }) };
      const signOut = () => Promise.resolve(void seen.push('sign out'));
      const server = { definition, layer };
      const isUsed = isOff === undefined;
      const used = isOff === 'duplicate' ? { definition, layer: { ...layer } } : server;
      const rows = {
        disabled: { disabled: { server } },
        broken: { problem: { id: 'a', entryName: 'a', layer } },
        duplicate: { duplicate: { server } },
      };
      const registered = registerRemoveCommand({
        configuration: {
          ready: Promise.resolve(),
          get: () => (isUsed || isOff === 'duplicate' ? used : undefined),
          current: {
            servers: [],
            duplicates: [],
            disabled: isOff === 'disabled' ? [{ server }] : [],
          },
        } as unknown as Configuration,
        servers: {
          get: () =>
            !isUsed ? undefined : Object.assign(new FakeServer({ id: 'a' }), { signOut }),
          unlisted: () => ({ signOut }),
        },
        questions: {
          ask: () => Promise.resolve({ kind: 'answered', answer: { isYes } } as never),
        },
        logs: { extension: silentLogger } as unknown as Logs,
        writer: {
          replaceText: () => Promise.resolve(void seen.push('replaceText')),
        } as unknown as WorkspaceWriter,
        forget: (id) => Promise.resolve(void seen.push(`forget ${id}`)),
      });
      Object.assign(vscode.commands, {
        executeCommand: (command: string) => Promise.resolve(void seen.push(command)),
      });
      await executeCommand('mcpWorkbench.removeServer', isOff ? rows[isOff] : 'a');
      registered.dispose();
      assert.deepEqual(seen, done);
    });
});
