import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuestionWithdrawn } from '../../../../../src/contracts/questionOutcome';
import type { DocumentInput } from '../../../../../src/ui/documents/documentInput';
import {
  byUser,
  type QuestionContext,
  type UserAction,
} from '../../../../../src/ui/questions/question';
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
