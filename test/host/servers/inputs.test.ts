import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred, nextTurn } from '../../../src/base/async';
import { CancelledError } from '../../../src/base/errors';
import { Inputs } from '../../../src/config/inputs/inputs';
import { InputValues } from '../../../src/config/inputs/inputValues';
import type { LocatedDefinition } from '../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../src/config/configLayer';
import type { Configuration } from '../../../src/config/configuration';
import { type InputDefinition, askInput } from '../../../src/config/inputs/askInput';
import { changeInputs, chooseWithInputs } from '../../../src/config/inputs/manageInputs';
import { type ServerDefinition, defaultLimits } from '../../../src/mcp/serverConfig';
import type { Logs } from '../../../src/ui/logs';
import type { Questions } from '../../../src/ui/questions/questions';
import { byUser, type Question } from '../../../src/ui/questions/question';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import { promptKeys } from '../../../src/ui/questions/typing';
import { watchPicks } from '../../support/host/shownPicks';
import { createSecrets } from '../../support/fakes/secrets';
import { poll } from '../../support/poll';

const layer: ConfigLayer = {
  scope: 'user',
  label: 'User Settings',
  entries: [],
  inputs: [{ id: 'key', type: 'promptString' }],
  problems: [],
};

const logs = { hide: () => {} } as unknown as Logs;

/** A server with inputs of these layers. */
const serverIn = (from: ConfigLayer, id = 'one', name = 'One'): LocatedDefinition => ({
  definition: {
    id,
    name,
    config: { type: 'stdio', command: 'serve', args: [], env: {} },
    source: { label: from.label },
    limits: defaultLimits,
  },
  layer: from,
});

const emptyValues = () =>
  new InputValues(
    createSecrets(),
    () => [],
    () => undefined,
    () => Promise.resolve(undefined),
  );

const asIs = <T>(answer: Promise<T>): Promise<T> => answer;

describe('a value that a launch needs', () => {
  it('is waited for until it is entered, and never where it is stored', async () => {
    const begun = deferred<void>();
    const answer = deferred<{ readonly kind: 'answered'; readonly answer: string }>();
    const questions = {
      ask: () => {
        begun.resolve();
        return answer.promise;
      },
    } as unknown as Questions;
    const waited: boolean[] = [];
    const whileAsking = <T>(entered: Promise<T>): Promise<T> => {
      waited.push(true);
      return entered.finally(() => waited.push(false));
    };
    const inputs = new Inputs(emptyValues(), logs, questions);
    const read = () =>
      inputs.read(serverIn(layer), 'key', new AbortController().signal, whileAsking);
    const first = read();
    await begun.promise;
    assert.deepEqual(waited, [true]);
    answer.resolve({ kind: 'answered', answer: 'a' });
    assert.deepEqual([await first, await read()], ['a', 'a']);
    assert.deepEqual(waited, [true, false]);
  });

  it('is not waited for where it is stored, whatever another server is asked for, once', async () => {
    const begun = deferred<void>();
    const answer = deferred<{ readonly kind: 'answered'; readonly answer: string }>();
    const asked: string[] = [];
    const questions = {
      ask: ({ info: cause }: Question<unknown>) => {
        asked.push(cause.server.id);
        begun.resolve();
        return answer.promise;
      },
    } as unknown as Questions;
    const values = emptyValues();
    const inputs = new Inputs(values, logs, questions);
    await values.store(layer, 'known', 'b', [serverIn(layer).definition.config]);
    const read = (input: string, id: string) =>
      inputs.read(serverIn(layer, id, id), input, new AbortController().signal, asIs);
    const waiting = [read('key', 'one'), read('key', 'two')];
    await begun.promise;
    const first = await Promise.race([read('known', 'three'), nextTurn()]);
    answer.resolve({ kind: 'answered', answer: 'a' });
    assert.deepEqual([first, ...(await Promise.all(waiting))], ['b', 'a', 'a']);
    assert.deepEqual(asked, ['one']);
  });

  for (const [description, title, prompt] of [
    [undefined, 'One needs a value: key', ''],
    [' ', 'One needs a value: key', ''],
    ['Key of the account', 'One needs a value', 'Key of the account'],
  ] as const)
    it(`is asked for by what it is for, or by its id: ${JSON.stringify(description)}`, async () => {
      const { createInputBox } = vscode.window;
      const shown = deferred<vscode.InputBox>();
      vscode.window.createInputBox = () => {
        const box = createInputBox();
        shown.resolve(box);
        return box;
      };
      const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
      const inputs = new Inputs(emptyValues(), {} as Logs, queue as unknown as Questions);
      const described = { ...layer, inputs: [{ id: 'key', type: 'promptString', description }] };
      const leave = new AbortController();
      const value = inputs.read(serverIn(described), 'key', leave.signal, asIs);
      try {
        const box = await shown.promise;
        assert.deepEqual([box.title, box.prompt?.trim()], [title, prompt]);
      } finally {
        leave.abort();
        vscode.window.createInputBox = createInputBox;
      }
      await assert.rejects(value, CancelledError);
    });
});

describe('a value that is one of several', function () {
  this.timeout(60_000);

  const options = ['staging', 'test', 'production'].map((value) => ({
    label: `The ${value} site`,
    value,
  }));

  for (const [what, had, initial, first] of [
    ['the first one', undefined, undefined, ['The staging site', 'staging']],
    ['the default', undefined, 'test', ['The test site', 'test · default']],
    [
      'the present one',
      'production',
      'test',
      ['The production site', 'production · present value'],
    ],
  ] as const)
    it(`begins with ${what}, and is found by letters but for those that it came up below`, async () => {
      let time = 0;
      const clock = { now: () => time, quietMs: 700, whenDrawn: (then: () => void) => then() };
      const queue = new QuestionQueue({ ...clock, mayShow: () => true });
      const input: InputDefinition = {
        type: 'pickString',
        id: 'site',
        options,
        ...(initial !== undefined && { default: initial }),
      };
      const server = { id: 'one', name: 'One' };
      const picks = watchPicks();
      const answers: unknown[] = [];
      const asked = queue
        .ask(
          {
            info: { kind: 'input', server, what: 'enter a value' },
            ask: (context) => askInput(input, server, context, had),
          },
          new AbortController().signal,
        )
        .then((outcome) => answers.push(outcome));
      const shown = await picks.next(/^One needs a value/);
      const { pick } = shown;
      const [row] = pick.items;
      assert.deepEqual([row?.label, row?.description], first);
      assert.equal(pick.activeItems[0], row);
      const becomes = (state: string, isSo: () => boolean) =>
        poll(state, 20_000, () => Promise.resolve(isSo() || undefined));
      pick.value = 'stag';
      await becomes('the box to be as it was', () => pick.value === '');
      shown.accept();
      time += 10_000;
      pick.value = 'stag';
      await becomes(
        'the row that has the letters',
        () => pick.value === 'stag' && pick.activeItems[0]?.label === 'The staging site',
      );
      assert.deepEqual(answers, []);
      shown.accept();
      await asked;
      picks.dispose();
      assert.deepEqual(answers, [{ kind: 'answered', answer: 'staging', how: 'click' }]);
    });
});

describe('the values that a server uses', () => {
  const { createInputBox } = vscode.window;
  const prompt = (id: string, more = {}) => ({ id, type: 'promptString', ...more });
  const definition = {
    id: 'one',
    name: 'One',
    config: {
      type: 'stdio' as const,
      command: 'serve',
      args: ['${input:path}', '${input:path}'],
      env: { KEY: '${input:key}' },
    },
    source: { label: 'User Settings' },
    limits: defaultLimits,
  } satisfies ServerDefinition;
  const located = {
    definition,
    layer: { ...layer, inputs: [prompt('path'), prompt('key', { password: true })] },
  };
  let shown: ((box: AcceptedBox) => void)[] = [];

  /** An input box that the user sees, and a way to press Enter in it. */
  interface AcceptedBox {
    readonly box: vscode.InputBox;
    readonly accept: (value: string) => void;
  }

  const nextBox = () => new Promise<AcceptedBox>((resolve) => shown.push(resolve));

  beforeEach(() => {
    shown = [];
    vscode.window.createInputBox = () => {
      const box = createInputBox();
      const accepted = new vscode.EventEmitter<void>();
      Object.assign(box, { onDidAccept: accepted.event });
      const accept = (value: string) => {
        box.value = value;
        accepted.fire();
      };
      // Its title and value are set after it is created.
      queueMicrotask(() => shown.shift()?.({ box, accept }));
      return box;
    };
  });

  afterEach(() => {
    vscode.window.createInputBox = createInputBox;
  });

  for (const [what, answers, expected] of [
    ['are all kept where nothing is typed', ['/a', ''], { path: '/a', key: 'secret' }],
    ['are those that were entered', ['/b', 'new'], { path: '/b', key: 'new' }],
    ['stay where the user goes away from one', ['/b', undefined], { path: '/a', key: 'secret' }],
  ] as const)
    it(`${what}, and are shown unless they are passwords`, async () => {
      const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
      const questions = queue as unknown as Questions;
      const inputs = emptyValues();
      await inputs.store(located.layer, 'path', '/a', []);
      await inputs.store(located.layer, 'key', 'secret', []);
      const boxes = [nextBox(), nextBox()];
      const changing = changeInputs(located, inputs, { action: byUser(), questions });
      const values: string[] = [];
      for (const [index, answer] of answers.entries()) {
        const next = await boxes[index];
        assert.ok(next);
        values.push(`${next.box.title} ${next.box.value} ${next.box.password}`);
        if (answer === undefined) queue.view?.escape();
        else next.accept(answer);
      }
      assert.equal(await changing, answers[1] !== undefined);
      assert.deepEqual(values, [
        'One needs a value: path /a false',
        'One needs a value: key  true',
      ]);
      const ids = ['path', 'key'] as const;
      const known = await Promise.all(ids.map((id) => inputs.known(located.layer, id)));
      assert.deepEqual(known, [expected.path, expected.key]);
      // Only what was entered for it is for it.
      const isOf = (now: string, before: string) => (now === before ? undefined : now);
      assert.deepEqual(await Promise.all(ids.map((id) => inputs.valueFor(located, id))), [
        isOf(expected.path, '/a'),
        isOf(expected.key, 'secret'),
      ]);
    });

  const told = 'Enter a value, or press Enter again to leave it empty.';
  for (const [what, more, accepted, said] of [
    ['a password that is left empty twice', { password: true }, ['', ''], [told, '']],
    ['a password that is entered after all', { password: true }, ['', 'new'], [told, '']],
    ['a password', { password: true }, ['new'], ['']],
    ['another text that is left empty twice', {}, ['', ''], [told, '']],
    ['another text that is entered after all', {}, ['', 'new'], [told, '']],
    ['a text whose default is taken out', { default: 'old' }, [''], ['']],
    ['a text whose default is empty', { default: '' }, [''], ['']],
  ] as const)
    it(`are taken with Enter from ${what}`, async () => {
      const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
      const next = nextBox();
      const input = { type: 'promptString', id: 'key', password: false, ...more } as const;
      const answered = queue.ask(
        {
          info: { kind: 'input', server: definition, what: 'enter a value', asked: byUser() },
          ask: (context) => askInput(input, definition, context),
        },
        new AbortController().signal,
      );
      const { box, accept } = await next;
      const messages = accepted.map((text) => {
        accept(text);
        const { validationMessage } = box;
        return typeof validationMessage === 'object' ? validationMessage.message : '';
      });
      assert.deepEqual(messages, said);
      const answer = accepted.at(-1);
      assert.deepEqual(await answered, { kind: 'answered', answer, how: 'key' });
    });

  const withoutInputs = {
    ...located,
    definition: {
      ...definition,
      name: 'Plain',
      config: { ...definition.config, args: [], env: {} },
    },
  };
  const configured = (...servers: LocatedDefinition[]): Configuration => ({
    current: { servers, problems: [], hints: [], hasFiles: false, duplicates: [], disabled: [] },
    get: () => withoutInputs,
    isOwn: () => true,
    onDidChange: () => ({ dispose: () => {} }),
    ready: Promise.resolve(),
    dispose: () => {},
  });
  const noQuestions = { ask: () => assert.fail() };

  it('are changed of one of the servers that use inputs, no others being offered', async () => {
    const picks = watchPicks();
    const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
    const configuration = configured(withoutInputs, located);
    const chosen = chooseWithInputs(undefined, configuration, {
      action: byUser(),
      questions: queue,
    });
    const list = await picks.next(/^Change Inputs$/);
    assert.deepEqual(list.labels, ['One']);
    list.choose('One');
    assert.equal(await chosen, located);
    picks.dispose();
  });

  it('are none where no server uses inputs, which a message says, but of one that was chosen', async () => {
    const { showInformationMessage } = vscode.window;
    const said: string[] = [];
    Object.assign(vscode.window, {
      showInformationMessage: (message: string) => Promise.resolve(void said.push(message)),
    });
    const configuration = configured(withoutInputs);
    try {
      assert.equal(
        await chooseWithInputs('plain', configuration, {
          action: byUser(),
          questions: noQuestions,
        }),
        withoutInputs,
      );
      assert.deepEqual(said, []);
      assert.equal(
        await chooseWithInputs(undefined, configuration, {
          action: byUser(),
          questions: noQuestions,
        }),
        undefined,
      );
      assert.deepEqual(said, ['No server in use has inputs.']);
    } finally {
      Object.assign(vscode.window, { showInformationMessage });
    }
  });

  it('are none where no server is configured', () =>
    assert.rejects(
      chooseWithInputs(undefined, configured(), { action: byUser(), questions: noQuestions }),
      /No MCP server is configured yet/,
    ));

  it('are none where its configuration has no inputs', () =>
    assert.rejects(
      changeInputs(withoutInputs, {} as InputValues, { action: byUser(), questions: noQuestions }),
      /"Plain" uses no inputs/,
    ));
});
