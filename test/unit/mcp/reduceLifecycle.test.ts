import assert from 'node:assert/strict';
import {
  newLifecycle,
  reduceLifecycle,
  reduceState,
  type Lifecycle,
  type LifecycleEvent,
  type StateEvent,
} from '../../../src/mcp/lifecycle';
import {
  isDown,
  isUp,
  obstacleOf,
  offersNow,
  type ServerState,
} from '../../../src/mcp/serverState';

const info = { protocolVersion: '2025-11-25', capabilities: {} };

const states = {
  stopped: { kind: 'stopped' },
  'stopped as it lacks a value': { kind: 'stopped', why: 'needsValue' },
  'stopped by the user': { kind: 'stopped', why: 'stoppedByUser' },
  starting: { kind: 'starting' },
  'starting and waiting': { kind: 'starting', isWaiting: true },
  running: { kind: 'running', info },
  'running without updates': { kind: 'running', info, notificationsLost: 'all' },
  reconnecting: { kind: 'reconnecting', info, message: 'gone' },
  failed: { kind: 'failed', message: 'broken' },
  'failed and tried again': { kind: 'failed', message: 'broken', retryAt: 7 },
  'needs a sign-in': { kind: 'needsSignIn', issuer: 'a.example' },
} as const satisfies Record<string, ServerState>;

type StateName = keyof typeof states;

/** What becomes of states that are not listed: another state, or `same`, where the event came too late for them. */
type Row = Partial<Record<StateName, ServerState | 'same'>> & {
  readonly rest: ServerState | 'same';
};

const restricted: ServerState = { kind: 'stopped', why: 'restricted' };
const unreached: ServerState = { kind: 'reconnecting', info, message: 'timeout' };

/** The events of each kind, and what becomes of every state; a kind without a row is an error of the compiler. */
const table: {
  readonly [K in StateEvent['kind']]: readonly (readonly [
    event: Extract<StateEvent, { readonly kind: K }>,
    row: Row,
  ])[];
} = {
  lookedAt: [
    [
      { kind: 'lookedAt', found: 'restricted' },
      {
        stopped: restricted,
        'stopped as it lacks a value': restricted,
        'stopped by the user': restricted,
        rest: 'same',
      },
    ],
    [
      { kind: 'lookedAt', found: 'ready' },
      { 'stopped as it lacks a value': { kind: 'stopped' }, rest: 'same' },
    ],
    [
      { kind: 'lookedAt', found: 'needsValue' },
      {
        stopped: states['stopped as it lacks a value'],
        'stopped by the user': states['stopped as it lacks a value'],
        rest: 'same',
      },
    ],
  ],
  started: [[{ kind: 'started' }, { rest: { kind: 'starting' } }]],
  asked: [
    [
      { kind: 'asked' },
      {
        starting: { kind: 'starting', isWaiting: true },
        'starting and waiting': { kind: 'starting', isWaiting: true },
        rest: 'same',
      },
    ],
  ],
  answered: [
    [{ kind: 'answered' }, { 'starting and waiting': { kind: 'starting' }, rest: 'same' }],
  ],
  printed: [
    [
      { kind: 'printed', text: 'hello' },
      {
        starting: { kind: 'starting', unexpectedOutput: 'hello' },
        'starting and waiting': { kind: 'starting', isWaiting: true, unexpectedOutput: 'hello' },
        rest: 'same',
      },
    ],
  ],
  refused: [
    [{ kind: 'refused' }, { stopped: 'same', rest: { kind: 'stopped' } }],
    [
      { kind: 'refused', why: 'needsValue' },
      { 'stopped as it lacks a value': 'same', rest: { kind: 'stopped', why: 'needsValue' } },
    ],
  ],
  opened: [
    [
      { kind: 'opened', info, problems: ['odd'], confinement: 'whole' },
      { rest: { kind: 'running', info, problems: ['odd'], confinement: 'whole' } },
    ],
  ],
  violated: [
    [
      { kind: 'violated', problems: ['odd'] },
      {
        running: { kind: 'running', info, problems: ['odd'] },
        'running without updates': {
          kind: 'running',
          info,
          notificationsLost: 'all',
          problems: ['odd'],
        },
        reconnecting: { kind: 'reconnecting', info, message: 'gone', problems: ['odd'] },
        rest: 'same',
      },
    ],
  ],
  listened: [
    [
      { kind: 'listened', listening: 'all' },
      {
        running: states.running,
        'running without updates': states.running,
        reconnecting: states.reconnecting,
        rest: 'same',
      },
    ],
    [
      { kind: 'listened', listening: 'some' },
      {
        running: { ...states.running, notificationsLost: 'some' },
        'running without updates': { ...states.running, notificationsLost: 'some' },
        reconnecting: { ...states.reconnecting, notificationsLost: 'some' },
        rest: 'same',
      },
    ],
    [
      { kind: 'listened', listening: 'none' },
      {
        running: states['running without updates'],
        'running without updates': states['running without updates'],
        reconnecting: { ...states.reconnecting, notificationsLost: 'all' },
        rest: 'same',
      },
    ],
  ],
  unreached: [
    [
      { kind: 'unreached', message: 'timeout' },
      {
        running: unreached,
        'running without updates': { ...unreached, notificationsLost: 'all' },
        rest: 'same',
      },
    ],
  ],
  reached: [[{ kind: 'reached' }, { reconnecting: { kind: 'running', info }, rest: 'same' }]],
  failed: [
    [
      { kind: 'failed', failure: { kind: 'failed', message: 'no' } },
      { rest: { kind: 'failed', message: 'no' } },
    ],
    [
      { kind: 'failed', failure: { kind: 'failed', message: 'no', short: 'n' }, retryAt: 9 },
      { rest: { kind: 'failed', message: 'no', short: 'n', retryAt: 9 } },
    ],
  ],
  signInRequired: [
    [
      { kind: 'signInRequired', issuer: 'b.example', problem: 'refused' },
      { rest: { kind: 'needsSignIn', issuer: 'b.example', problem: 'refused' } },
    ],
  ],
  stopped: [
    [
      { kind: 'stopped' },
      {
        stopped: 'same',
        'stopped as it lacks a value': 'same',
        'stopped by the user': 'same',
        rest: { kind: 'stopped' },
      },
    ],
    [
      { kind: 'stopped', why: 'stoppedByUser' },
      { 'stopped as it lacks a value': 'same', rest: { kind: 'stopped', why: 'stoppedByUser' } },
    ],
  ],
};

const failure = { kind: 'failed', message: 'no' } as const;
const crashed: Lifecycle = {
  state: { ...failure, retryAt: 9 },
  isEndedOnPurpose: false,
  crashes: [7, 8],
  lastFailure: failure,
};
const givenUp: Lifecycle = { ...crashed, state: failure };
const stopping: Lifecycle = { ...newLifecycle(), state: states.running, isEndedOnPurpose: true };

/** What events make of the past of a server, apart from its state. */
const pasts: readonly (readonly [
  what: string,
  before: Lifecycle,
  event: LifecycleEvent,
  after: Partial<Lifecycle>,
])[] = [
  ['a stop forgets crashes', crashed, { kind: 'stopping' }, { crashes: [] }],
  [
    'a stop is on purpose from when it is told to',
    crashed,
    { kind: 'stopping' },
    { isEndedOnPurpose: true },
  ],
  [
    'a stop changes the state only once it has ended',
    crashed,
    { kind: 'stopping' },
    { state: crashed.state },
  ],
  ['a stop is on purpose after its end', stopping, { kind: 'stopped' }, { isEndedOnPurpose: true }],
  ['a start ends that it was stopped', stopping, { kind: 'started' }, { isEndedOnPurpose: false }],
  [
    'a restart ends that it was stopped',
    stopping,
    { kind: 'started', isRestart: true },
    { isEndedOnPurpose: false },
  ],
  [
    'a refusal does not make it stopped on purpose',
    crashed,
    { kind: 'refused' },
    { isEndedOnPurpose: false },
  ],
  [
    'a start before the next attempt keeps the crashes',
    crashed,
    { kind: 'started' },
    { crashes: [7, 8] },
  ],
  ['a start after the last attempt forgets them', givenUp, { kind: 'started' }, { crashes: [] }],
  ['a restart keeps them', givenUp, { kind: 'started', isRestart: true }, { crashes: [7, 8] }],
  [
    'a crash is counted and tried again',
    crashed,
    { kind: 'crashed', failure, at: 10 },
    { crashes: [7, 8, 10], state: { ...failure, retryAt: 4010 } },
  ],
  [
    'a failed start is no crash',
    crashed,
    { kind: 'failed', failure: states.failed },
    { crashes: [7, 8], lastFailure: states.failed },
  ],
  [
    'a restart keeps the last failure',
    crashed,
    { kind: 'started', isRestart: true },
    { lastFailure: failure },
  ],
];

describe('the lifecycle of a server', () => {
  for (const [event, row] of Object.values(table).flat())
    for (const [name, state] of Object.entries(states) as [StateName, ServerState][]) {
      const { [name]: expected = row.rest } = row;
      const becomes =
        expected === 'same' ? 'stays the same' : `becomes ${JSON.stringify(expected)}`;
      it(`"${name}" ${becomes} after ${JSON.stringify(event)}`, () => {
        const after = reduceState(state, event);
        if (expected === 'same') assert.equal(after, state);
        else assert.deepEqual(after, expected);
      });
    }

  for (const [what, before, event, expected] of pasts)
    it(what, () => {
      const after = reduceLifecycle(before, event);
      assert.deepEqual({ ...after, ...expected }, after);
    });

  const tools = { isOffered: () => true };
  /** What is asked of a state in several places: what keeps it, and whether it is down, is up, and has its tools. */
  const answers: Readonly<
    Record<StateName, readonly [ReturnType<typeof obstacleOf>, boolean, boolean, boolean]>
  > = {
    stopped: [undefined, true, false, false],
    'stopped as it lacks a value': ['needsValue', true, false, false],
    'stopped by the user': ['stoppedByUser', true, false, false],
    starting: [undefined, false, true, false],
    'starting and waiting': [undefined, false, true, false],
    running: [undefined, false, true, true],
    'running without updates': [undefined, false, true, true],
    reconnecting: [undefined, false, true, false],
    failed: [undefined, true, false, false],
    'failed and tried again': [undefined, true, false, false],
    'needs a sign-in': [undefined, false, false, false],
  };
  for (const [name, expected] of Object.entries(answers))
    it(`has one answer to each question about "${name}"`, () => {
      const state = states[name as StateName];
      const asked = [obstacleOf(state), isDown(state), isUp(state), offersNow(state, tools)];
      assert.deepEqual(asked, expected);
    });
});
