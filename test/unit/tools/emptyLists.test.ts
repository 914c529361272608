import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { writer } from '../../support/host/hostApi';
import { deferred, delay } from '../../../src/base/async';
import { askImports } from '../../../src/config/add/importServers';
import { describeMachine } from '../../../src/config/applications/machine';
import { Approvals } from '../../../src/gate/decide/approvals';
import type { Platform } from '../../../src/mcp/platform';
import { selectTools, type SelectToolsDeps } from '../../../src/chat/offer/selectTools';
import { createPickPrompt } from '../../../src/prompts/pickPrompt';
import { findResource } from '../../../src/resources/commands/findResource';
import { manageApprovals } from '../../../src/tools/manageApprovals';
import { pickTool } from '../../../src/tools/run/pickTool';
import type { ListStatus } from '../../../src/mcp/lists/listSpecs';
import type { Server } from '../../../src/mcp/server';
import { doubleClickMs } from '../../../src/ui/rows/rowClicks';
import { nextSteps } from '../../../src/ui/rows/nextSteps';
import { askOwn, noServer } from '../../../src/ui/questions/askOwn';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import type { WaitingQuestion } from '../../../src/ui/questions/question';
import { promptKeys } from '../../../src/ui/questions/typing';
import {
  FakeServer,
  fakeServer,
  fakeServers,
  type FakeServers,
} from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { scriptedQuestions } from '../../support/host/scriptedQuestions';
import { byUser } from '../../../src/ui/questions/question';

const { executeCommand } = vscode.commands;
const stopped = new FakeServer({});
stopped.become('stopped');
const starting = new FakeServer({ name: 'slow' });
starting.become({ kind: 'starting' });
const signedOut = new FakeServer({ name: 'locked', tools: [] });
signedOut.become({ kind: 'needsSignIn' });
const failed = new FakeServer({ name: 'broken', tools: [] });
failed.become({ kind: 'failed', message: 'It ended.' });
/** A running server with no entry in any of its lists. */
const running = (name: string, status: ListStatus) => {
  const server = fakeServer({ name, tools: [] });
  for (const list of [server.tools, server.prompts, server.resources]) list.set([], status);
  return server;
};
interface Case {
  readonly servers: readonly Server[];
  readonly unused?: number;
  readonly first: string;
  /** The command of that row, with its arguments. */
  readonly next: readonly string[];
  readonly why?: string;
}
const rows: Readonly<Record<string, Case>> = {
  'no server is configured': {
    servers: [],
    first: 'Add Server…',
    next: ['mcpWorkbench.addServer'],
  },
  'all servers are disabled': {
    servers: [],
    unused: 2,
    first: 'Enable Server',
    next: ['mcpWorkbench.enableServer'],
  },
  'the only server is stopped': {
    servers: [stopped],
    first: 'Start Server',
    next: ['mcpWorkbench.startServer', stopped.id],
  },
  'some are stopped or have failed': {
    servers: [stopped, failed],
    first: 'Start Server',
    next: ['mcpWorkbench.startServer'],
  },
  'one is starting': {
    servers: [starting, stopped],
    first: 'Show Servers',
    next: ['mcpWorkbench.servers.focus'],
  },
  'one requires sign-in': {
    servers: [signedOut],
    first: 'Sign In',
    next: ['mcpWorkbench.signIn', signedOut.id],
    why: 'locked requires sign-in',
  },
  'some require sign-in': {
    servers: [signedOut, fakeServer({ tools: [] }), signedOut],
    first: 'Sign In',
    next: ['mcpWorkbench.signIn'],
    why: '2 servers require sign-in',
  },
  'one has failed': {
    servers: [failed],
    first: 'Diagnose Start and Connection',
    next: ['mcpWorkbench.diagnoseServer', failed.id],
    why: 'broken has failed',
  },
  'some have failed': {
    servers: [failed, failed],
    first: 'Diagnose Start and Connection',
    next: ['mcpWorkbench.diagnoseServer'],
    why: '2 servers have failed',
  },
  'a list is still loading': {
    servers: [running('large', 'loading')],
    first: 'Show Servers',
    next: ['mcpWorkbench.servers.focus'],
    why: 'Loading from large',
  },
  'a list could not be loaded': {
    servers: [running('odd', 'failed')],
    first: 'Show Servers',
    next: ['mcpWorkbench.servers.focus'],
    why: 'A list of odd could not be loaded',
  },
  'the running ones have none': {
    servers: [fakeServer({ tools: [] })],
    first: 'Show Servers',
    next: ['mcpWorkbench.servers.focus'],
  },
};

const tool = { name: 'list_directory', title: 'List Directory', inputSchema: { type: 'object' } };

describe('a list where nothing matches what was typed', () => {
  it('stays open on Enter', async () => {
    const picks = watchPicks();
    const chosen = pickTool(byUser(), {
      servers: fakeServers(fakeServer({ tools: [tool] })),
      questions: scriptedQuestions(),
    });
    const shown = await picks.next(/MCP/);
    shown.pick.activeItems = [];
    shown.accept();
    assert.equal(shown.isOpen, true);
    shown.choose('List Directory');
    assert.equal((await chosen)?.tool.name, tool.name);
    picks.dispose();
  });
});

describe('the list of tools', () => {
  it('has the name that models use beside the title that people read', async () => {
    const picks = watchPicks();
    const server = fakeServer({ tools: [tool, { ...tool, name: 'plain', title: 'plain' }] });
    const chosen = pickTool(byUser(), {
      servers: fakeServers(server),
      questions: scriptedQuestions(),
    });
    const shown = await picks.next(/MCP/);
    assert.deepEqual(
      shown.pick.items.flatMap(({ description = [] }) => description),
      [`list_directory · ${server.name}`, server.name],
    );
    shown.choose('plain');
    await chosen;
    picks.dispose();
  });
});

/** A stopped server whose prompts are not known yet. */
function notStarted(name: string): FakeServer {
  const server = fakeServer({ name });
  server.become('stopped');
  server.prompts.set([], 'empty');
  return server;
}

describe('the list of prompts from which a server is started', () => {
  const ask = async () => {
    const picks = watchPicks();
    const server = notStarted('one');
    const questions = scriptedQuestions();
    const started = deferred<[]>();
    const chosen = createPickPrompt({
      servers: fakeServers(server),
      starts: { startAndTell: () => started.promise },
      questions,
      recent: () => [],
    })(byUser());
    const shown = await picks.next(/MCP/);
    shown.pick.value = 'start';
    shown.click('Start one');
    return { server, questions, started, chosen, shown, dispose: () => picks.dispose() };
  };

  it('comes back after the questions of the start, with the prompts and without what has found that row', async () => {
    const { server, questions, started, chosen, shown, dispose } = await ask();
    let isBack = false;
    const again = shown.whenShown().then(() => (isBack = true));
    const answer = await questions.cover();
    const waiting = { server, kind: 'trust' } as unknown as WaitingQuestion;
    questions.unseen.questions.push(waiting);
    answer();
    // It would be back by now: this timer started after its own.
    await delay(doubleClickMs);
    assert.equal(isBack, false);
    server.become('running');
    server.prompts.set([{ name: 'explain' }], 'loaded');
    started.resolve([]);
    questions.unseen.questions.length = 0;
    questions.tell();
    await again;
    assert.equal(shown.pick.value, '');
    shown.choose('explain');
    assert.equal((await chosen)?.prompt.name, 'explain');
    dispose();
  });

  it('stays away where the user has turned to an editor meanwhile', async () => {
    const { questions, chosen, dispose } = await ask();
    const answer = await questions.cover();
    questions.isElsewhere = true;
    answer();
    assert.equal(await chosen, undefined);
    dispose();
  });

  it('stays away where the user left it themselves', async () => {
    const { chosen, shown, dispose } = await ask();
    await shown.leave();
    assert.equal(await chosen, undefined);
    dispose();
  });
});

describe('the list of prompts', () => {
  for (const [chosen, active] of [
    ['the first row', 'explain'],
    ['another row', 'later'],
  ] as const)
    it(`has ${active} chosen where ${chosen} was and prompts come in above it`, async () => {
      const picks = watchPicks();
      const [one, two] = [fakeServer({ name: 'one' }), fakeServer({ name: 'two' })];
      one.prompts.set([], 'loaded');
      two.prompts.set([{ name: 'simple' }, { name: 'later' }], 'loaded');
      const left = createPickPrompt({
        servers: fakeServers(one, two),
        starts: { startAndTell: async () => [] },
        questions: scriptedQuestions(),
        recent: () => [],
      })(byUser());
      const shown = await picks.next(/MCP/);
      const { pick } = shown;
      const isActive = (label: string) =>
        poll(
          `${label} chosen`,
          20_000,
          async () => pick.activeItems[0]?.label === label || undefined,
        );
      await isActive('simple');
      if (active === 'later') pick.activeItems = pick.items.filter(({ label }) => label === active);
      await isActive(active === 'later' ? active : 'simple');
      one.prompts.set([{ name: 'explain' }], 'loaded');
      await isActive(active);
      await shown.leave();
      await left;
      picks.dispose();
    });

  it('leaves a row chosen where questions come and go', async () => {
    const picks = watchPicks();
    const servers = [notStarted('one'), notStarted('two')];
    const questions = scriptedQuestions();
    const left = createPickPrompt({
      servers: fakeServers(...servers),
      starts: { startAndTell: async () => [] },
      questions,
      recent: () => [],
    })(byUser());
    const shown = await picks.next(/MCP/);
    const before = shown.pick.items;
    questions.tell();
    assert.equal(shown.pick.items, before);
    await shown.leave();
    await left;
    picks.dispose();
  });

  for (const [state, needed] of [
    [{ kind: 'needsSignIn' }, ['Sign In']],
    [{ kind: 'failed', message: 'It ended.' }, ['Start other', 'Diagnose Start and Connection']],
  ] as const)
    it(`has below the prompts what leads on where another server is in the state ${state.kind}`, async () => {
      const picks = watchPicks();
      const [one, other] = [fakeServer({ name: 'one' }), fakeServer({ name: 'other' })];
      one.prompts.set([{ name: 'explain' }], 'loaded');
      other.become(state);
      other.prompts.set([], 'empty');
      const left = createPickPrompt({
        servers: fakeServers(one, other),
        starts: { startAndTell: async () => [] },
        questions: scriptedQuestions(),
        recent: () => [],
      })(byUser());
      const shown = await picks.next(/MCP/);
      assert.deepEqual(shown.labels, ['one', 'explain', 'prompts not loaded yet', ...needed]);
      await shown.leave();
      await left;
      picks.dispose();
    });

  it('has the servers started together whose prompts nobody knows yet, so that one message says which were not', async () => {
    const picks = watchPicks();
    const servers = [notStarted('one'), notStarted('two')];
    const started: (readonly string[])[] = [];
    const chosen = createPickPrompt({
      servers: fakeServers(...servers),
      starts: {
        startAndTell: async (those) => {
          started.push(those.map(({ name }) => name));
          return [];
        },
      },
      questions: scriptedQuestions(),
      recent: () => [],
    })(byUser());
    const shown = await picks.next(/MCP/);
    shown.choose('Start All 2 Servers');
    assert.deepEqual(started, [['one', 'two']]);
    await shown.leave();
    assert.equal(await chosen, undefined);
    picks.dispose();
  });
});

describe('an empty list', () => {
  const executed: string[] = [];
  /** What the commands return. */
  let result: unknown;

  before('hear of commands', () => {
    const ours = [
      ...Object.values(rows).flatMap(({ next: [id = ''] }) => id),
      'mcpWorkbench.runTool',
      'mcpWorkbench.showQuestions',
    ];
    vscode.commands.executeCommand = (async (id: string, ...args: unknown[]) => {
      if (!ours.includes(id)) return executeCommand(id, ...args);
      executed.push(id, ...args.map(String));
      return result;
    }) as typeof executeCommand;
  });

  after('let commands be', () => {
    vscode.commands.executeCommand = executeCommand;
  });

  const listsOf = (
    servers: FakeServers,
    questions = scriptedQuestions(),
  ): Readonly<Record<string, () => Promise<unknown>>> => ({
    'of prompts': () =>
      createPickPrompt({
        servers,
        starts: { startAndTell: async () => [] },
        questions,
        recent: () => [],
      })(byUser()),
    'of resources': () => findResource(byUser(), { servers, questions }, 'Open MCP Resource'),
    'of tools': () => pickTool(byUser(), { servers, questions }),
    'of tools to select': () =>
      selectTools(byUser(), {
        servers,
        chatTools: { known: [] },
        questions: Object.assign(new QuestionQueue({ ...promptKeys, mayShow: () => true }), {
          unseen: questions.unseen,
          isAsking: questions.isAsking,
          workedElsewhere: () => questions.workedElsewhere(),
        }),
      } as unknown as SelectToolsDeps),
  });

  for (const [state, { servers, unused = 0, first, next, why }] of Object.entries(rows)) {
    const all = fakeServers(...servers);
    all.unused = unused;
    for (const [what, show] of Object.entries(listsOf(all)))
      it(`${what} leads on where ${state}`, async () => {
        const picks = watchPicks();
        const chosen = show();
        const shown = await picks.next(/MCP|Select Tools/);
        const row = shown.pick.items.find(({ label }) => label === first);
        assert.ok(row, `${first} among ${shown.labels.join(', ')}`);
        if (why !== undefined) assert.equal(row.description, why);
        shown.choose(first);
        assert.equal(await chosen, undefined);
        assert.deepEqual(executed.splice(0), next);
        picks.dispose();
      });
  }

  for (const [what, at] of [
    ['of tools', 2],
    ['of resources', 1],
    ['of tools to select', 3],
  ] as const)
    for (const [after, outcome, where, isBack] of [
      ['a server runs', [{ kind: 'running' }], {}, true],
      ['the user did not want it', [{ kind: 'refused', message: 'No.' }], {}, false],
      ['the user turned to an editor', [{ kind: 'running' }], { isElsewhere: true }, false],
      ['a question is shown', [{ kind: 'running' }], { isAsking: true }, false],
    ] as const)
      it(`${what} ${isBack ? 'comes back' : 'is over'} after its Start Server once ${after}`, async () => {
        result = outcome;
        const picks = watchPicks();
        const questions = Object.assign(scriptedQuestions(), where);
        const list = Object.values(listsOf(fakeServers(stopped), questions))[at];
        const chosen = list?.();
        (await picks.next(/MCP|Select Tools/)).choose('Start Server');
        if (isBack) {
          const again = await picks.next(/MCP|Select Tools/);
          result = undefined;
          again.choose('Start Server');
        }
        assert.equal(await chosen, undefined);
        result = undefined;
        executed.splice(0);
        picks.dispose();
      });

  for (const isTrusted of [true, false])
    it(`leads to the trust of the workspace ${isTrusted ? 'no more where it is given' : 'where it is not given'}`, () => {
      Object.defineProperty(vscode.workspace, 'isTrusted', {
        value: isTrusted,
        configurable: true,
      });
      try {
        const steps = nextSteps(fakeServers(stopped), scriptedQuestions(), () => []);
        const trust = isTrusted ? [] : ['workbench.trust.manage'];
        assert.deepEqual(
          steps.map(({ next: [command] }) => command),
          [...trust, 'mcpWorkbench.startServer'],
        );
      } finally {
        Object.defineProperty(vscode.workspace, 'isTrusted', { value: true, configurable: true });
      }
    });

  for (const what of ['of prompts', 'of resources', 'of tools'])
    it(`${what} leads to the question that a start waits for`, async () => {
      const server = fakeServer({ tools: [] });
      server.become({ kind: 'starting' });
      const questions = scriptedQuestions();
      const picks = watchPicks();
      const chosen = listsOf(fakeServers(server), questions)[what]?.();
      // The question arrives while the list is open.
      questions.unseen.questions.push({ server, kind: 'trust' } as unknown as WaitingQuestion);
      questions.tell();
      const shown = await picks.next(/MCP/);
      shown.choose('Show Question');
      assert.equal(await chosen, undefined);
      assert.deepEqual(executed.splice(0), ['mcpWorkbench.showQuestions']);
      picks.dispose();
    });

  it('of tools to select leads to the question that a start waits for', async () => {
    const server = fakeServer({ tools: [] });
    server.become({ kind: 'starting' });
    const questions = scriptedQuestions();
    questions.unseen.questions.push({ server, kind: 'trust' } as unknown as WaitingQuestion);
    const picks = watchPicks();
    const chosen = listsOf(fakeServers(server), questions)['of tools to select']?.();
    (await picks.next(/^Select Tools$/)).choose('Show Question');
    await chosen;
    assert.deepEqual(executed.splice(0), ['mcpWorkbench.showQuestions']);
    picks.dispose();
  });

  for (const what of Object.keys(listsOf(fakeServers())))
    it(`${what} comes up only once the configuration was read`, async () => {
      const servers = fakeServers();
      const ready = deferred<void>();
      servers.ready = ready.promise;
      const picks = watchPicks();
      const chosen = listsOf(servers)[what]?.();
      await executeCommand('setContext', 'mcpWorkbench.test', 1);
      assert.deepEqual(picks.open, []);
      servers.unused = 1;
      ready.resolve();
      const shown = await picks.next(/MCP|Select Tools/);
      assert.equal(shown.labels[0], 'Enable Server');
      shown.choose('Enable Server');
      await chosen;
      assert.deepEqual(executed.splice(0), ['mcpWorkbench.enableServer']);
      picks.dispose();
    });

  it('of approvals leads on to a call, and has nothing to export or to withdraw', async () => {
    const picks = watchPicks();
    const stores = { workspace: createMemento(), always: createMemento() };
    manageApprovals(byUser(), {
      approvals: new Approvals(stores),
      input: undefined as never,
      writer,
    });
    const shown = await picks.next(/^Tool Approvals$/);
    assert.deepEqual([shown.labels, shown.buttons], [['Run MCP Tool…'], []]);
    shown.choose('Run MCP Tool…');
    assert.deepEqual(executed.splice(0), ['mcpWorkbench.runTool']);
    picks.dispose();
  });

  it('of servers of other applications leads on to one that is added by hand', async () => {
    const picks = watchPicks();
    const platform = {
      env: {},
      programs: { system: 'linux', home: '/nobody/here' },
      files: {},
    } as unknown as Platform;
    const storage = vscode.Uri.file('/nobody/here/User/globalStorage/a.b');
    const finding = askOwn(
      newQuestions(),
      { server: noServer, what: 'Find', asked: byUser() },
      (context) => askImports(describeMachine(platform, storage), platform.files, context, []),
    );
    const shown = await picks.next(/^Find My Servers$/);
    assert.equal(shown.pick.canSelectMany, false);
    assert.deepEqual(shown.labels, ['Add Server…']);
    shown.choose('Add Server…');
    const goOn = await finding;
    assert.ok(typeof goOn === 'function');
    await goOn();
    assert.deepEqual(executed.splice(0), ['mcpWorkbench.addServer']);
    picks.dispose();
  });

  it('of tools fills while it is open', async () => {
    const servers = fakeServers(fakeServer({ tools: [] }));
    const picks = watchPicks();
    const chosen = pickTool(byUser(), { servers, questions: scriptedQuestions() });
    const shown = await picks.next(/MCP/);
    assert.deepEqual(shown.labels, ['Show Servers']);
    servers.replace(fakeServer({ tools: [tool] }));
    shown.choose('List Directory');
    assert.equal((await chosen)?.tool.name, tool.name);
    picks.dispose();
  });
});
