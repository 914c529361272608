import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuestionWithdrawn } from '../../../../../src/contracts/questionOutcome';
import { silentLogger } from '../../../../../src/base/log';
import { createTrustQuestion } from '../../../../../src/config/trust/trustQuestion';
import { defaultLimits } from '../../../../../src/mcp/serverConfig';
import type { DocumentInput } from '../../../../../src/ui/documents/documentInput';
import {
  byUser,
  type QuestionContext,
  type UserAction,
} from '../../../../../src/ui/questions/question';
import type { Questions } from '../../../../../src/ui/questions/questions';
import { QuestionQueue } from '../../../../../src/ui/questions/queue';
import { pickItem } from '../../../../../src/ui/steps/pickItem';
import { askRow, checkRows } from '../../../../../src/ui/steps/pickRows';
import { askForm } from '../../../../../src/ui/steps/schemaForm';
import type { StepFrame } from '../../../../../src/ui/steps/stepFrame';
import { settled } from '../../../../support/fakes/fakeClock';
import { watchPicks, type ShownPick, type WatchedPicks } from '../../../../support/host/shownPicks';
import { schemaCheck } from '../../../../support/schemaChecks';

const rows = [{ label: 'Deny' }, { label: 'Allow in This Workspace' }];
const quietMs = 700;

/** One way in which a question is shown, and what a click in it does. */
interface Face {
  readonly ask: (frame: StepFrame) => Promise<unknown>;
  readonly click: (pick: ShownPick) => void;
}

const allow = (pick: ShownPick) => pick.click('Allow in This Workspace');
const leave = (pick: ShownPick) => pick.press('Decline');
const form = (property: object) => (frame: StepFrame) =>
  askForm({
    title: frame,
    schema: { type: 'object', properties: { it: property }, required: ['it'] },
    given: {},
    input: {} as DocumentInput,
    schemas: schemaCheck(),
  });

const faces = {
  'a row of a decision': { ask: (frame) => pickItem({ frame, items: rows }), click: allow },
  'a button of a decision': { ask: (frame) => pickItem({ frame, items: rows }), click: leave },
  'a row of a list': { ask: (frame) => askRow({ frame, items: rows }), click: allow },
  'a button of a list': { ask: (frame) => askRow({ frame, items: rows }), click: leave },
  'a list with boxes': {
    ask: (frame) => checkRows({ frame, items: rows }),
    click: (pick) => pick.accept(),
  },
  'a value of a form': {
    ask: form({ enum: ['Deny', 'Allow in This Workspace'] }),
    click: allow,
  },
} satisfies Readonly<Record<string, Face>>;

describe('A click on its way to a question that is withdrawn', () => {
  let picks: WatchedPicks;
  let time = 1000;
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  const begin = (ask: Face['ask']) => {
    const queue = new QuestionQueue({
      now: () => time,
      quietMs,
      whenDrawn: (then) => then(),
      mayShow: () => true,
    });
    const over = new AbortController();
    const open = (title: string, face: Face['ask'], asked?: UserAction) => {
      const server = { id: title, name: title };
      const frame = (context: QuestionContext): StepFrame => ({
        title,
        actions: [{ icon: new vscode.ThemeIcon('close'), label: 'Decline', ends: 'decline' }],
        context,
      });
      const info = { kind: 'call', server, what: title, asked } as const;
      const { signal } = title === 'first' ? over : new AbortController();
      return queue.ask({ info, ask: (context) => face(frame(context)) }, signal);
    };
    const first = open('first', (frame) => pickItem({ frame, items: rows }));
    return { queue, over, open, first, second: open('second', ask) };
  };

  for (const [name, { ask, click }] of Object.entries(faces))
    it(`decides nothing in the one that takes its place: ${name}`, async () => {
      const { queue, over, first, second } = begin(ask);
      await picks.next(/^first/);
      time += 60_000;
      over.abort(new QuestionWithdrawn('serverStopped'));
      assert.equal((await first).kind, 'withdrawn');
      const shown = await picks.next(/^second/);
      for (const ms of [0, 300, quietMs - 301]) {
        time += ms;
        click(shown);
        await settled();
        assert.ok(shown.isOpen, `after ${ms} ms more`);
        assert.deepEqual(
          queue.waiting.map(({ what, state }) => `${what} ${state}`),
          ['second shown'],
        );
      }
      time += 1;
      click(shown);
      await shown.closed();
      assert.equal((await second).kind, 'answered');
    });

  for (const [how, bring, isTaken] of [
    ['by an action that it waited for', (_: QuestionQueue, ask: () => void) => ask(), false],
    ['as the user calls it up', (queue: QuestionQueue) => queue.open(), true],
  ] as const)
    it(`counts in one that hides it ${how}: ${isTaken}`, async () => {
      const { queue, over, open, second } = begin(faces['a row of a decision'].ask);
      await picks.next(/^first/);
      time += 60_000;
      bring(queue, () => void open('second, asked', faces['a row of a decision'].ask, byUser()));
      const shown = await picks.next(/^second/);
      allow(shown);
      await settled();
      assert.equal(!shown.isOpen, isTaken);
      time += quietMs;
      if (!isTaken) allow(shown);
      await settled();
      assert.ok(!shown.isOpen);
      over.abort(new QuestionWithdrawn('serverStopped'));
      if (isTaken) assert.equal((await second).kind, 'answered');
    });
});

describe('A click on a launch that others go or come beside', () => {
  const quiet = { quietMs, whenDrawn: (then: () => void) => then(), mayShow: () => true };
  const launchOf = (name: string) => {
    const config = { type: 'stdio', command: 'node', args: [name], env: {} } as const;
    const launch = { serverName: name, place: 'here', config, written: config };
    const source = { label: 'here' };
    const definition = { id: name, name, config, source, limits: defaultLimits };
    const layer = {
      label: 'here',
      scope: 'user' as const,
      entries: [],
      inputs: undefined,
      problems: [],
    };
    return { launch, server: { definition, layer }, text: name, before: undefined } as const;
  };

  for (const [what, change, label, isTaken] of [
    ['the other is no longer wanted', 'a goes', 'Trust and Start', ({ isOpen }) => !isOpen],
    [
      'another one comes above it',
      '0 comes',
      '0',
      ({ labels }) => labels.includes('Start Checked (1)'),
    ],
    [
      'others come above and below it',
      '0 and c come',
      '0',
      ({ labels }) => labels.includes('Start Checked (1)'),
    ],
  ] as const satisfies readonly (readonly [
    string,
    'a goes' | '0 comes' | '0 and c come',
    string,
    (pick: ShownPick) => boolean,
  ])[])
    it(`decides nothing about what takes its place as ${what}`, async () => {
      const picks = watchPicks();
      let time = 1000;
      const questions = new QuestionQueue({ ...quiet, now: () => time });
      const ask = createTrustQuestion({
        questions: questions as unknown as Questions,
        input: {} as DocumentInput,
        logs: { extension: silentLogger },
      });
      const over = new AbortController();
      const first = ask(launchOf('a'), over.signal);
      const second = ask(launchOf('b'), new AbortController().signal);
      const shown = await picks.next(/^2 servers wait/);
      time += 60_000;
      if (change === 'a goes') {
        over.abort();
        assert.equal(await first, 'withdrawn');
      } else void ask(launchOf('0'), new AbortController().signal);
      if (change === '0 and c come') void ask(launchOf('c'), new AbortController().signal);
      for (const ms of [0, quietMs - 1]) {
        time += ms;
        shown.click(label);
        await settled();
        assert.ok(!isTaken(shown), `after ${ms} ms`);
      }
      time += 1;
      shown.click(label);
      await settled();
      assert.ok(isTaken(shown));
      if (change === 'a goes') assert.equal(await second, 'start');
      picks.dispose();
    });
});
