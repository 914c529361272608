import assert from 'node:assert/strict';
import { readApp } from '../../../src/apps/page/app';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import { AppBridge, maxAppRequests } from '../../../src/apps/view/appBridge';
import { inEnglish } from '../../../src/base/translate';
import { appMimeType } from '../../../src/contracts/toolApps';
import { KnownSkills, maxHeldSkills } from '../../../src/mcp/skills/serverSkills';
import { listSpecs } from '../../../src/mcp/lists/listSpecs';
import { loadList } from '../../../src/mcp/lists/loadList';
import { maxListedTasks, taskList } from '../../../src/mcp/lists/taskList';
import { maxSkillFiles, type Skill } from '../../../src/mcp/protocol/skills';
import { maxKnownTasks, TaskCalls } from '../../../src/mcp/session/tasks/taskCalls';
import { longestTurn, processMs, leeway, usedHeap } from '../../support/processes/ownLoad';
import { fakeServer } from '../../support/fakes/fakeServer';

const maxTurnMs = 250;
const maxGrowth = 5_000_000;

const kilobyte = 'k'.repeat(1000);
const digest = `sha256:${'0'.repeat(64)}`;
const uriOf = (name: string) => `skill://flood/${name}/SKILL.md`;

function skill(at: number, files = 1): Skill {
  const name = `skill-${at}`;
  const root = uriOf(name).replace('SKILL.md', '');
  const resources = Array.from({ length: files }, (_, file) => ({
    uri: `${root}${file === 0 ? 'SKILL.md' : `file-${file}.md`}`,
    digest,
    size: 1,
  }));
  return { uri: uriOf(name), frontmatter: { name, description: kilobyte }, resources };
}

const many = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));

/** Creates a bridge over which an app can ask its host and notify it. */
function bridge(): AppBridge {
  return new AppBridge({
    handlers: {
      // Nothing is ever answered, so every request stays pending.
      runTool: () => new Promise(() => {}),
      readResource: () => new Promise(() => {}),
      openLink: () => new Promise(() => {}),
      sendMessage: () => new Promise(() => {}),
      updateContext: () => new Promise(() => {}),
      setDisplayMode: () => {},
      log: () => {},
      requestTeardown: () => {},
    },
    send: () => {},
    traffic: new TrafficRecorder(String).besideApp(),
    hostInfo: { name: 'host', version: '1' },
    capabilities: {},
    context: () => ({}),
    now: () => 0,
  });
}

/** What the window keeps after a flood. */
const kept = {
  skills: new KnownSkills({ items: [] }),
  tasks: new TaskCalls({
    send: () => Promise.resolve({ content: [] }),
    session: () => undefined,
  }),
  app: bridge(),
  next: 0,
};

/** Returns a long id, stored as one flat string like one parsed from a message. */
const idOf = (next: number) => JSON.parse(`"${next} ${kilobyte}"`) as string;

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** Calls `receive` for this many messages; many of them arrive in the same turn. */
async function eachMessage(count: number, receive: (next: number) => unknown): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await receive((kept.next += 1));
    if (at % 200 === 0) await nextTurn();
  }
}

interface Flood {
  readonly what: string;
  /** Creates what was sent, as already parsed from its message. */
  readonly make?: () => readonly unknown[];
  readonly run: (sent: readonly unknown[]) => Promise<unknown>;
}

const floods: readonly Flood[] = [
  {
    what: 'a list of skills',
    make: () => many(10_000, (at) => skill(at)),
    run: async (skills) => {
      const { items } = await loadList(listSpecs.skills, () => Promise.resolve({ skills }));
      assert.equal(items.length, skills.length);
    },
  },
  {
    what: 'skills of as many files as they may have',
    make: () => many(250, (at) => skill(at, maxSkillFiles)),
    run: async (skills) => {
      const { items } = await loadList(listSpecs.skills, () => Promise.resolve({ skills }));
      assert.equal(items.length, skills.length);
    },
  },
  {
    what: 'skills that are asked for by their URIs',
    run: () =>
      eachMessage(2000, (next) => {
        const one = skill(next);
        kept.skills.take(one.uri, { skill: one });
        assert.ok(kept.skills.all.length <= maxHeldSkills);
      }),
  },
  {
    what: 'a list of tasks',
    make: () => many(60_000, (at) => ({ taskId: `task ${at}`, status: 'working' })),
    run: async (tasks) => {
      const { items } = await loadList(taskList, () => Promise.resolve({ tasks }));
      assert.equal(items.length, maxListedTasks);
    },
  },
  {
    what: 'calls that become tasks',
    run: () =>
      eachMessage(maxKnownTasks, (next) => {
        const answer = { resultType: 'task', taskId: idOf(next), status: 'working' };
        return kept.tasks.finish({ answer }, { signal: AbortSignal.abort() }).catch(() => {});
      }),
  },
  {
    what: 'requests of an app',
    run: async () => {
      kept.app.receive({ jsonrpc: '2.0', id: 'first', method: 'ui/initialize', params: {} });
      await nextTurn();
      const methods = ['tools/call', 'resources/read', 'ui/open-link', 'ping'];
      await eachMessage(10_000, (next) => {
        const method = methods[next % methods.length];
        const params = { name: 'a', uri: 'a:b', url: 'https://a.example' };
        kept.app.receive({ jsonrpc: '2.0', id: idOf(next), method, params });
      });
      assert.ok(kept.app['open'].size <= maxAppRequests);
    },
  },
  {
    what: 'words of an app',
    run: () =>
      eachMessage(10_000, (next) => {
        const methods = ['notifications/message', 'ui/notifications/size-changed', 'unknown'];
        const params = { level: 'info', data: kilobyte, width: 1, height: 1 };
        kept.app.receive({ jsonrpc: '2.0', method: methods[next % methods.length], params });
      }),
  },
  {
    what: 'sites of an app',
    make: () => many(50_000, (at) => `https://a${at}.example`),
    run: async (domains) => {
      const ui = { csp: { connectDomains: domains, resourceDomains: domains } };
      const server = fakeServer();
      const content = { uri: 'ui://flood/a', mimeType: appMimeType, text: 'a', _meta: { ui } };
      server.answer = () => Promise.resolve({ contents: [content] });
      await readApp(server, content.uri, inEnglish);
    },
  },
];

describe('a server that floods a part of the window', function () {
  this.timeout(60_000);
  let heap = 0;

  before(
    'flood it once: what is compiled, and what is kept up to a bound, is no growth',
    async () => {
      for (const { make, run } of floods) await run(make?.() ?? []);
      heap = await usedHeap();
    },
  );

  for (const { what, make, run } of floods)
    it(`with ${what} does not hold it`, async () => {
      const sent = make?.() ?? [];
      let turn = Infinity;
      for (let attempt = 0; attempt < 3 && turn > maxTurnMs; attempt += 1)
        turn = Math.min(turn, (await longestTurn(() => run(sent), processMs)) / leeway());
      assert.ok(turn <= maxTurnMs, `a turn of ${Math.round(turn)} ms`);
    });

  it('with any of these leaves nothing behind', async () => {
    const growth = (await usedHeap()) - heap;
    assert.ok(growth <= maxGrowth, `${growth} bytes more`);
  });
});
