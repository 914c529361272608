import assert from 'node:assert/strict';
import type { QuestionInfo } from '../../../../src/ui/questions/question';
import {
  nextByItself,
  nextState,
  waitingState,
  type QuestionEvent,
  type QuestionState,
} from '../../../../src/ui/questions/turns';

const shown = (isUsers: boolean, isAgain: boolean, isUnsolicited = false): QuestionState => ({
  kind: 'shown',
  isUsers,
  isAgain,
  isUnsolicited,
});

const states = {
  queued: { kind: 'queued' },
  late: { kind: 'late' },
  'shown by itself, not drawn yet': shown(false, false, true),
  'shown by itself': shown(false, false),
  'shown by itself, again': shown(false, true),
  'called up': shown(true, false),
  'called up, again': shown(true, true),
  displaced: { kind: 'displaced' },
  covered: { kind: 'covered' },
  left: { kind: 'left' },
  setAside: { kind: 'setAside', isUsers: false },
  'set aside by the user': { kind: 'setAside', isUsers: true },
  expected: { kind: 'expected' },
} as const satisfies Record<string, QuestionState>;

type StateName = keyof typeof states;

const calledUpAgain = states['called up, again'];
const back = (isUsers: boolean) => shown(isUsers, true, true);

/** What becomes of each state; a state or an event without an entry is an error of the compiler. */
const table: Readonly<Record<QuestionEvent, Readonly<Record<StateName, QuestionState>>>> = {
  calledUp: {
    queued: states['called up'],
    late: states['called up'],
    'shown by itself, not drawn yet': states['called up'],
    'shown by itself': states['called up'],
    'shown by itself, again': calledUpAgain,
    'called up': states['called up'],
    'called up, again': calledUpAgain,
    displaced: calledUpAgain,
    covered: calledUpAgain,
    left: calledUpAgain,
    setAside: calledUpAgain,
    'set aside by the user': calledUpAgain,
    expected: calledUpAgain,
  },
  turnCame: {
    queued: shown(false, false, true),
    late: shown(false, false, true),
    'shown by itself, not drawn yet': shown(false, false, true),
    'shown by itself': shown(false, false, true),
    'shown by itself, again': back(false),
    'called up': shown(false, false, true),
    'called up, again': back(false),
    displaced: back(true),
    covered: back(false),
    left: back(false),
    setAside: back(false),
    'set aside by the user': back(false),
    expected: back(true),
  },
  drawn: { ...states, 'shown by itself, not drawn yet': states['shown by itself'] },
  displaced: all(states.displaced),
  covered: {
    ...all(states.left),
    queued: states.covered,
    late: states.covered,
    'shown by itself, not drawn yet': states.covered,
    'shown by itself': states.covered,
    'called up': states.covered,
  },
  turnedFrom: all(states.late),
  madeRoom: all(states.left),
  wasSetAside: {
    ...all(states.setAside),
    'called up': states['set aside by the user'],
    'called up, again': states['set aside by the user'],
    displaced: states['set aside by the user'],
    'set aside by the user': states['set aside by the user'],
    expected: states['set aside by the user'],
  },
  cameBack: all(states.expected),
};

function all(state: QuestionState): Readonly<Record<StateName, QuestionState>> {
  return Object.fromEntries(Object.keys(states).map((name) => [name, state])) as Record<
    StateName,
    QuestionState
  >;
}

describe('a question that waits', () => {
  for (const [event, row] of Object.entries(table) as [QuestionEvent, (typeof table)['drawn']][])
    for (const [name, expected] of Object.entries(row) as [StateName, QuestionState][])
      it(`and is "${name}" becomes ${JSON.stringify(expected)}: ${event}`, () =>
        assert.deepEqual(nextState(states[name], event), expected));

  for (const [name, comesBack] of [
    ['late', false],
    ['displaced', true],
    ['covered', true],
    ['expected', true],
    ['left', false],
    ['setAside', false],
    ['shown by itself', false],
  ] as const)
    it(`and is "${name}" ${comesBack ? 'comes back by itself' : 'does not'}, but not into a document of the user`, () => {
      const info = { kind: 'call' } as QuestionInfo;
      const entry = { info, state: states[name] };
      const edited = { info, state: states['set aside by the user'] };
      const mayShow = () => false;
      assert.equal(nextByItself([entry], mayShow), comesBack ? entry : undefined);
      assert.equal(nextByItself([entry, edited], mayShow), undefined);
    });

  it('has its first turn at the right moment, one request of a server at a time', () => {
    const call = { info: { kind: 'call' } as QuestionInfo, state: states.queued };
    const request = { info: { kind: 'sampling' } as QuestionInfo, state: states.queued };
    const reviewed = { ...request, state: states.setAside };
    let asked = 0;
    const mayShow = (may: boolean) => () => {
      asked += 1;
      return may;
    };
    assert.equal(nextByItself([request, call], mayShow(true)), request);
    const late = { ...call, state: states.late };
    assert.equal(nextByItself([late, request], mayShow(true)), late);
    assert.equal(nextByItself([late], mayShow(false)), undefined);
    assert.equal(nextByItself([reviewed, request, call], mayShow(true)), call);
    assert.equal(nextByItself([request, call], mayShow(false)), undefined);
    assert.equal(asked, 5);
    assert.equal(nextByItself([reviewed, request], mayShow(true)), undefined);
    assert.equal(asked, 5);
  });

  it('is described by the four words that others know', () =>
    assert.deepEqual(Object.values(states).map(waitingState), [
      'queued',
      'queued',
      'shown',
      'shown',
      'shown',
      'shown',
      'shown',
      'hidden',
      'hidden',
      'hidden',
      'setAside',
      'setAside',
      'hidden',
    ]));
});
