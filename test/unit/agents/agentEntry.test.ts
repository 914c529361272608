import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentTrust } from '../../../src/agents/agentTrust';
import { connectAgent, pickAgent } from '../../../src/agents/connectAgent';
import { roomAt, wrapLine } from '../../../src/base/text/rows';
import { inEnglish } from '../../../src/base/translate';
import { applications } from '../../../src/config/applications/applications';
import { acceptChange } from '../../../src/config/share/acceptChange';
import { addToFile, ownServers } from '../../../src/config/share/exportServers';
import { askOwn, noServer } from '../../../src/ui/questions/askOwn';
import { byUser } from '../../../src/ui/questions/question';
import { createMemento } from '../../support/fakes/memento';
import { newQuestions } from '../../support/host/newQuestions';
import { poll } from '../../support/poll';

const entry = {
  name: 'mcp-workbench',
  server: {
    type: 'stdio',
    command: '/home/me/bridge',
    args: ['id'],
    env: { MCP_WORKBENCH_SECRET: 'secret' },
    timeouts: { start: 60, request: 3600, total: 3600 },
  },
};
const other = { name: 'other', server: { type: 'stdio', command: 'node', args: ['a.js'] } };

describe('The entry of an agent', () => {
  for (const application of applications)
    it(`is written into the file of ${application.label} and taken out again, and others stay`, async () => {
      const before = await addToFile(application, '', [other], inEnglish);
      const written = await addToFile(application, before, [entry], inEnglish);
      const there = await ownServers(application, written);
      assert.deepEqual([...there.keys()], ['other', 'mcp-workbench']);
      assert.match(written, /MCP_WORKBENCH_SECRET/);
      const after = await application.remove(written, entry.name);
      assert.ok(!after.includes('mcp-workbench'));
      assert.deepEqual(await ownServers(application, after), await ownServers(application, before));
    });

  const { createQuickPick } = vscode.window;
  let shown: vscode.QuickPick<vscode.QuickPickItem> | undefined;
  beforeEach(() => {
    shown = undefined;
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const pick = createQuickPick<T>();
      shown = pick;
      return pick;
    };
  });
  afterEach(() => (vscode.window.createQuickPick = createQuickPick));

  for (const [row, prepared, copied] of [
    [
      'Another…',
      'prepare',
      { command: 'bridge', args: ['id'], env: { MCP_WORKBENCH_SECRET: 's' } },
    ],
    [
      'Another, over HTTP…',
      'prepareHttp',
      { type: 'http', url: 'http://here/mcp', headers: { Authorization: 'Bearer id.s' } },
    ],
  ] as const)
    it(`is copied once its own way in is there, whatever becomes of the other: ${row}`, async () => {
      const entries = {
        create: () => ({ entry: { id: 'id' }, secret: 's' }),
        add: () => Promise.resolve(),
      };
      const ways = {
        prepare: () => Promise.reject(new Error('No bridge.')),
        prepareHttp: () => Promise.reject(new Error('No port.')),
        [prepared]: () =>
          Promise.resolve(
            prepared === 'prepare' ? { command: 'bridge', args: [], env: {} } : 'http://here/mcp',
          ),
      };
      const machine = { platform: 'linux', home: '/none', settings: '/none', folders: [], env: {} };
      const deps = { entries, machine, ...ways, serverNames: () => [] } as never;
      const about = { server: noServer, what: 'Connect', asked: byUser() };
      const done = askOwn(newQuestions(), about, (context) => connectAgent(deps, context));
      const item = await poll('the row', 5000, () =>
        Promise.resolve(shown?.items.find(({ label }) => label === row)),
      );
      assert.ok(shown);
      shown.activeItems = [item];
      let said: string | undefined;
      const ended = done.then((text) => (said = text));
      await poll('the end', 5000, async () => {
        if (said === undefined)
          await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return said;
      });
      assert.match(String(await ended), /clipboard/);
      assert.deepEqual(JSON.parse(await vscode.env.clipboard.readText()), {
        mcpServers: { 'mcp-workbench': copied },
      });
    });

  it('is told apart from a connection where one is chosen', async () => {
    const label = 'Claude Code';
    const one = { id: 'id', label, file: '/a.json', secretHash: '', createdAt: 0 };
    const entries = { all: () => Promise.resolve([one]) } as never;
    const asked = { server: noServer, what: 'Choose', asked: byUser() };
    const picked = askOwn(newQuestions(), asked, (context) =>
      pickAgent(entries, { context, title: 'Choose', placeholder: '' }),
    );
    const row = await poll('the row', 5000, () => Promise.resolve(shown?.items[0]));
    assert.match(`${row.label}: ${row.detail}`, /^Claude Code: Entry made /);
    shown?.hide();
    void picked;
  });

  const path = `/home/me/${'projects/'.repeat(12)}end`;
  const sentence = `${'The entry has a secret that others can read. '.repeat(4)}Mind this.`;
  const about = { server: noServer, what: 'Connect', asked: byUser() };
  /** Questions about an agent, and what each has to say. */
  const questions: readonly (readonly [
    string,
    readonly string[],
    () => Promise<boolean | undefined>,
  ])[] = [
    [
      'whether it may use the servers',
      [
        `Its entry is in ${path}.json`,
        `Runs in ${path}`,
        'Started by claude (7)',
        'Calls itself x 1',
      ],
      () => {
        const label = 'Claude Code';
        const of = { id: 'id', label, file: `${path}.json`, secretHash: '', createdAt: 0 };
        const hello = { entry: 'id', secret: '', folder: path, program: 'claude', pid: 7 };
        const client = { name: 'x', version: '1' };
        const trust = new AgentTrust(createMemento(), newQuestions());
        return trust.ask({ entry: of, hello, client }, new AbortController().signal);
      },
    ],
    [
      'whether its file may be changed',
      [sentence, 'Second note.'],
      () => {
        const change = { uri: vscode.Uri.file('/a.json'), before: '', after: '{}' };
        const asked = {
          ...change,
          title: 'Connect',
          yes: 'Write',
          notes: [sentence, 'Second note.'],
        };
        return askOwn(newQuestions(), about, (context) =>
          acceptChange(asked, { ask: () => Promise.reject(new Error('Shown.')) } as never, context),
        );
      },
    ],
  ];
  for (const [what, said, ask] of questions)
    it(`is asked about with all that there is to say, in rows that show theirs whole: ${what}`, async () => {
      const asked = ask();
      const pick = await poll('the question', 5000, () =>
        Promise.resolve(shown && shown.items.length > 0 ? shown : undefined),
      );
      const labels = pick.items.map(({ label }) => label.replace(/^\u2003 /, ''));
      for (const label of labels)
        assert.equal(wrapLine(label.trimEnd(), roomAt({ hasIcon: true })).length, 1, label);
      const all = labels.join('');
      for (const text of said) assert.ok(all.includes(text), `${text} in ${all}`);
      let hasEnded = false;
      const ended = asked.catch(String).finally(() => (hasEnded = true));
      await poll('the end', 5000, async () => {
        if (!hasEnded)
          await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return hasEnded || undefined;
      });
      // What Enter takes grants nothing.
      assert.ok([false, 'Error: Shown.'].includes((await ended) ?? ''));
    });
});
