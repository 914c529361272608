import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import { DisposableHolder } from '../../../../src/base/disposable';
import { Emitter } from '../../../../src/base/event';
import { QuestionWithdrawn } from '../../../../src/contracts/questionOutcome';
import { ConnectionLostError } from '../../../../src/mcp/protocol/rpcError';
import { QuestionQueue } from '../../../../src/ui/questions/queue';
import {
  byUser,
  type QuestionInfo,
  type QuestionView,
  type QuestionContext,
} from '../../../../src/ui/questions/question';
import { promptKeys } from '../../../../src/ui/questions/typing';
import { settled } from '../../../support/fakes/fakeClock';

/** Creates the editor's quick input, which shows one thing at a time; the next one hides it. */
function createEditor() {
  const hidden = new Map<string, () => void>();
  let shown: string | undefined;
  const sudden: string[] = [];
  const take = (name: string | undefined) => {
    const before = shown;
    shown = name;
    if (before !== undefined && before !== name) hidden.get(before)?.();
  };
  return {
    get shown() {
      return shown;
    },
    /** The names of what was shown without an action of the user. */
    sudden,
    /** Shows something of another extension in the quick input. */
    cover: () => take('(something else)'),
    view: (name: string): QuestionView => {
      const told = new Emitter<void>();
      let isOurs = false;
      hidden.set(name, () => {
        if (!isOurs) told.fire();
      });
      return {
        mode: 'decision',
        show: (isUnsolicited) => {
          if (isUnsolicited) sudden.push(name);
          isOurs = false;
          take(name);
        },
        hide: () => {
          isOurs = true;
          if (shown === name) take(undefined);
        },
        onDidHide: told.event,
        enter: () => {},
        escape: () => {},
      };
    },
  };
}

function createQuestions(mayShow = () => true, workedElsewhere = (_since: number) => false) {
  const editor = createEditor();
  let time = 0;
  const now = () => (time += 1);
  const queue = new QuestionQueue({ ...promptKeys, now, mayShow, workedElsewhere });
  const ask = (
    name: string,
    more: Partial<QuestionInfo> & { readonly signal?: AbortSignal } = {},
  ) => {
    const answer = deferred<string>();
    const { signal = new AbortController().signal, ...part } = more;
    let context: QuestionContext | undefined;
    const presented = new DisposableHolder();
    const view = editor.view(name);
    const present = () => (presented.value = context?.present(view));
    const server = { id: 'demo', name: 'demo' };
    const info: QuestionInfo = { kind: 'call', server, what: name, ...part };
    const outcome = queue.ask(
      {
        info,
        declined: 'declined',
        ask: (given) => {
          context = given;
          present();
          return answer.promise.finally(() => presented.dispose());
        },
      },
      signal,
    );
    return {
      outcome,
      answer: (text: string) => answer.resolve(text),
      context: () => context,
      present,
    };
  };
  const states = () => queue.waiting.map(({ what, state }) => `${what} ${state}`);
  return { editor, queue, ask, states };
}

const answered = (answer: string) => ({ kind: 'answered', answer, how: 'click' });

describe('Questions in a queue', () => {
  it('are told of once, and not begun, where hundreds come and are taken back together', async () => {
    const { queue, ask } = createQuestions();
    let told = 0;
    queue.onDidChange(() => (told += 1));
    const all = Array.from({ length: 300 }, () => new AbortController());
    const asked = all.map(({ signal }, at) => ask(`${at}`, { signal }));
    const taken = new QuestionWithdrawn('windowClosed');
    // A server's messages are each read in their own microtask.
    for (const one of all) void Promise.resolve().then(() => one.abort(taken));
    for (const { outcome } of asked) assert.equal((await outcome).kind, 'withdrawn');
    assert.deepEqual(queue.waiting, []);
    const begun = asked.filter(({ context }) => context()).length;
    assert.equal(begun, 1);
    // There may be several changes, but far fewer than one per question.
    assert.ok(told < 100, `told ${told} times`);
  });

  it('are counted for a server without what the user asks for themselves on the way', async () => {
    const { queue, ask } = createQuestions();
    const first = ask('a');
    const own = queue.ask(
      {
        info: { kind: 'form', server: { id: 'demo', name: 'demo' }, what: 'own', asked: byUser() },
        ask: () => Promise.resolve('done'),
      },
      new AbortController().signal,
    );
    const place = first.context()?.place;
    assert.deepEqual([place?.waiting, place?.waitingOfServer], [2, 1]);
    await own;
    first.answer('yes');
    await first.outcome;
  });

  it('wait for a pause where the user has turned elsewhere since the action that they come from', async () => {
    let isPause = false;
    const action = byUser();
    const { editor, queue, ask, states } = createQuestions(
      () => isPause,
      (since) => since === action.at,
    );
    const own = ask('own', { asked: action });
    assert.deepEqual([editor.shown, states()], [undefined, ['own queued']]);
    isPause = true;
    queue.release();
    assert.deepEqual([editor.shown, editor.sudden], ['own', ['own']]);
    // Nothing that it opens may take the keyboard by that action any more.
    assert.equal(own.context()?.wanted, undefined);
    own.answer('yes');
    assert.deepEqual(await own.outcome, answered('yes'));
  });

  it('wait for a pause where others take so long after a document of theirs that the user has turned elsewhere', async () => {
    let isPause = false;
    let hasTurned = false;
    const { editor, queue, ask, states } = createQuestions(
      () => isPause,
      () => hasTurned,
    );
    const own = ask('own', { asked: byUser() });
    assert.equal(editor.shown, 'own');
    await own.context()?.setAside(() => Promise.resolve());
    hasTurned = true;
    own.present();
    assert.deepEqual([editor.shown, states()], [undefined, ['own queued']]);
    isPause = true;
    queue.release();
    assert.deepEqual([editor.shown, editor.sudden], ['own', ['own']]);
  });

  for (const [when, isAnsweredFirst] of [
    ['as it first comes up', false],
    ['between two of its steps', true],
  ] as const)
    it(`wait for a pause where others take so long ${when} that the user has turned elsewhere`, () => {
      let isPause = false;
      let last = -Infinity;
      let time = 0;
      const editor = createEditor();
      const queue = new QuestionQueue({
        ...promptKeys,
        now: () => time,
        mayShow: () => isPause,
        workedElsewhere: (since) => last > since,
      });
      const view = editor.view('own');
      let context: QuestionContext | undefined;
      const server = { id: 'demo', name: 'demo' };
      void queue.ask(
        {
          info: { kind: 'form', server, what: 'own', asked: byUser() },
          ask: async (given) => {
            context = given;
            return deferred<string>().promise;
          },
        },
        new AbortController().signal,
      );
      assert.ok(context);
      if (isAnsweredFirst) {
        const first = context.present(view);
        assert.equal(editor.shown, 'own');
        view.hide();
        // What is typed elsewhere while it stands there is before its answer.
        last = 10;
        time = 11;
        first.dispose();
        const second = context.present(view);
        assert.equal(editor.shown, 'own');
        second.dispose();
        view.hide();
      }
      last = 20;
      time = 21;
      context.present(view);
      assert.notEqual(editor.shown, 'own');
      assert.equal(context.wanted, undefined);
      assert.deepEqual(
        queue.waiting.map(({ state }) => state),
        ['queued'],
      );
      isPause = true;
      queue.release();
      assert.deepEqual([editor.shown, editor.sudden], ['own', ['own']]);
    });

  it('come up with a warning where the user did nothing for it, once for all their views', async () => {
    const { editor, queue, ask } = createQuestions();
    const own = ask('own', { asked: byUser() });
    ask('unasked');
    assert.deepEqual(editor.sudden, []);
    own.answer('yes');
    await own.outcome;
    assert.deepEqual(editor.sudden.splice(0), ['unasked']);

    // After something else hid it, it comes back on its own or when the user opens it.
    editor.cover();
    queue.release();
    assert.deepEqual(editor.sudden.splice(0), ['unasked']);
    editor.cover();
    queue.open();
    assert.deepEqual(editor.sudden, []);
  });

  it('are shown in turn, each of them, and the only one anew, when the user wants the next', () => {
    const { editor, queue, ask } = createQuestions();
    for (const name of ['a', 'b', 'c', 'd']) ask(name);
    const seen = [editor.shown];
    for (let click = 0; click < 5; click += 1) {
      queue.open();
      seen.push(editor.shown);
    }
    assert.deepEqual(seen, ['a', 'b', 'c', 'd', 'a', 'b']);

    const one = createQuestions();
    one.ask('only');
    const { shownAt } = one.queue;
    assert.equal(one.queue.open(), true);
    assert.equal(one.editor.shown, 'only');
    assert.ok(one.queue.shownAt > shownAt);
  });

  it('make room until the user calls them', async () => {
    const { editor, queue, ask, states } = createQuestions();
    const { context, answer, outcome } = ask('a');
    context()?.makeRoom();
    assert.deepEqual([editor.shown, states()], [undefined, ['a hidden']]);
    queue.release();
    assert.equal(editor.shown, undefined);
    queue.open();
    assert.deepEqual([editor.shown, states()], ['a', ['a shown']]);
    answer('yes');
    await outcome;
  });

  it('come up with a warning for their first view alone', () => {
    const { editor, ask } = createQuestions();
    const { context } = ask('first');
    assert.deepEqual(editor.sudden, ['first']);
    context()?.present(editor.view('second'));
    assert.equal(editor.shown, 'second');
    assert.deepEqual(editor.sudden, ['first']);
  });

  it('are shown one at a time, in order', async () => {
    const { editor, ask, states } = createQuestions();
    const [a, b] = [ask('a'), ask('b')];
    assert.deepEqual(states(), ['a shown', 'b queued']);
    a.answer('yes');
    assert.deepEqual(await a.outcome, answered('yes'));
    assert.equal(editor.shown, 'b');
    b.answer('no');
    assert.deepEqual(await b.outcome, answered('no'));
    assert.deepEqual(states(), []);
  });

  it('take no click that may be the second one on the question before', async () => {
    const clock = { ...promptKeys, quietMs: 700, now: () => time, mayShow: () => true };
    let time = 1000;
    const queue = new QuestionQueue(clock);
    const stages: QuestionContext[] = [];
    const answers = [deferred<string>(), deferred<string>()] as const;
    const server = { id: 'demo', name: 'demo' };
    const info: QuestionInfo = { kind: 'call', server, what: 'run' };
    const asked = answers.map((answer) => {
      const ask = (context: QuestionContext) => {
        stages.push(context);
        return answer.promise;
      };
      return queue.ask({ info, ask }, new AbortController().signal);
    });
    assert.equal(stages[0]?.takesClicks, true);
    stages[0].acted('click');
    assert.equal(stages[0].takesClicks, true, 'its own next step');
    answers[0].resolve('yes');
    await asked[0];
    assert.equal(stages[1]?.takesClicks, false);
    time += 349;
    assert.equal(stages[1].takesClicks, false);
    time += 1;
    assert.equal(stages[1].takesClicks, true);
    answers[1].resolve('yes');
    await asked[1];
  });

  it('are hidden by something else without an answer, and come back when that has gone', async () => {
    const { editor, queue, ask, states } = createQuestions();
    const a = ask('a');
    editor.cover();
    ask('b');
    await settled();
    assert.deepEqual(states(), ['a hidden', 'b queued']);
    assert.equal(editor.shown, '(something else)');
    queue.release();
    assert.deepEqual(states(), ['a shown', 'b queued']);
    a.answer('yes');
    assert.deepEqual(await a.outcome, answered('yes'));
  });

  it('do not fight for the quick input: hidden again, one waits until it is opened', () => {
    const { editor, queue, ask, states } = createQuestions();
    ask('a');
    for (let round = 0; round < 2; round += 1) {
      editor.cover();
      queue.release();
    }
    assert.deepEqual(states(), ['a hidden']);
    queue.release();
    assert.equal(editor.shown, '(something else)');
    queue.open();
    assert.equal(editor.shown, 'a');
  });

  it('make room for one that the user asked for, and go on after it', async () => {
    const { editor, ask, states } = createQuestions();
    ask('call');
    const form = ask('form', { kind: 'form', asked: byUser() });
    assert.deepEqual(states(), ['call hidden', 'form shown']);
    ask('another call');
    assert.equal(editor.shown, 'form');
    form.answer('done');
    await form.outcome;
    assert.equal(editor.shown, 'call');
  });

  it('look for the right moment once, however many of them wait', () => {
    let asked = 0;
    const { ask } = createQuestions(() => {
      asked += 1;
      return false;
    });
    for (let count = 1; count <= 100; count += 1) ask(`${count}`);
    assert.equal(asked, 100);
  });

  it('that are declined together are not put to the user one after another for that', async () => {
    const { queue, ask } = createQuestions();
    const all = Array.from({ length: 10 }, (_, at) => ask(`${at}`));
    queue.declineAll('demo');
    for (const { outcome } of all) assert.deepEqual(await outcome, answered('declined'));
    assert.equal(all.filter(({ context }) => context()).length, 1);
  });

  it('wait for the right moment, and are opened by hand before it', () => {
    let mayShow = false;
    const { editor, queue, ask, states } = createQuestions(() => mayShow);
    ask('a');
    assert.equal(editor.shown, undefined);
    assert.deepEqual(states(), ['a queued']);
    queue.open();
    assert.equal(editor.shown, 'a');
    ask('b');
    mayShow = true;
    queue.release();
    assert.deepEqual(states(), ['a shown', 'b queued']);
  });

  for (const [reason, expected] of [
    [undefined, 'cancelled'],
    [new QuestionWithdrawn('serverStopped'), 'serverStopped'],
    [new ConnectionLostError('The connection closed.'), 'serverStopped'],
    // The reason of a signal from `AbortSignal.timeout`, as used for a sign-in.
    [new DOMException('It took too long.', 'TimeoutError'), 'deadline'],
  ] as const)
    it(`are withdrawn, shown or not, and say why: ${expected} (${reason?.name})`, async () => {
      const { editor, ask } = createQuestions();
      const end = new AbortController();
      const both = [ask('a', end), ask('b', end)];
      ask('c');
      await settled();
      end.abort(reason);
      for (const { outcome } of both)
        assert.deepEqual(await outcome, { kind: 'withdrawn', reason: expected });
      await settled();
      assert.equal(editor.shown, 'c');
      assert.equal(both[0]?.context()?.signal.aborted, true);
    });

  it('of one server are declined together, which is an answer; others stay', async () => {
    const { queue, ask, states } = createQuestions();
    const declined = [ask('a'), ask('b')];
    ask('c', { server: { id: 'other', name: 'other' } });
    queue.declineAll('demo');
    for (const { outcome } of declined) assert.deepEqual(await outcome, answered('declined'));
    await settled();
    assert.deepEqual(states(), ['c shown']);
  });

  it('are taken away while the user works on them elsewhere, which is no answer, and come back as often', async () => {
    const { editor, queue, ask, states } = createQuestions();
    const a = ask('a', { asked: byUser() });
    for (let time = 0; time < 2; time += 1) {
      const edited = deferred<void>();
      const elsewhere = a.context()?.setAside(() => edited.promise);
      assert.equal(editor.shown, undefined);
      assert.deepEqual(states(), ['a setAside']);
      assert.equal(queue.mode, '');
      edited.resolve();
      await elsewhere;
      a.present();
      assert.equal(editor.shown, 'a');
      assert.deepEqual(states(), ['a shown']);
    }
    a.answer('yes');
    assert.deepEqual(await a.outcome, answered('yes'));
  });

  for (const [end, comesBack] of [
    ['in its document', false],
    ['in the question that came back after that', true],
  ] as const)
    it(`tell when one was answered in a document of its own, and whose: ${end}`, async () => {
      const { queue, ask } = createQuestions();
      const a = ask('a');
      await a.context()?.setAside(() => Promise.resolve());
      if (comesBack) a.present();
      a.answer('yes');
      await a.outcome;
      assert.equal(queue.answeredInDocumentAt('demo') > 0, !comesBack);
      assert.equal(queue.answeredInDocumentAt('other'), -Infinity);
    });

  it('leave the place to others while the user works on one elsewhere, and take it again', async () => {
    const { editor, ask, states } = createQuestions();
    const a = ask('a');
    const edited = deferred<void>();
    const elsewhere = a.context()?.setAside(() => edited.promise);
    ask('b');
    assert.deepEqual(states(), ['a setAside', 'b shown']);
    edited.resolve();
    await elsewhere;
    a.context()?.present(editor.view('a again'));
    assert.equal(editor.shown, 'a again');
    assert.deepEqual(states(), ['a shown', 'b hidden']);
  });

  it('that the user has left lie over no document that they edit for another', async () => {
    const { editor, ask, states } = createQuestions();
    const a = ask('a', { asked: byUser() });
    editor.cover();
    const b = ask('b', { asked: byUser() });
    const edited = deferred<void>();
    const elsewhere = b.context()?.setAside(() => edited.promise);
    assert.equal(editor.shown, undefined);
    edited.resolve();
    await elsewhere;
    b.present();
    assert.equal(editor.shown, 'b');
    b.answer('yes');
    await b.outcome;
    await settled();
    assert.deepEqual(states(), ['a shown']);
    a.answer('yes');
  });

  it('of the user’s own are shown again when asked for again, with the keyboard', async () => {
    const { editor, queue, ask, states } = createQuestions();
    const server = { id: 'demo', name: 'demo' };
    const own = ask('a', { asked: byUser(), kind: 'form', form: 'tool/a', server });
    // Another form may be for something with the same name.
    ask('same', { asked: byUser(), kind: 'form', what: 'a', form: 'prompt/a', server });
    assert.equal(queue.showAgain({ server, form: 'tool/a' }), 'hidden');
    assert.equal(queue.showAgain({ server, form: 'tool/a' }), 'shown');
    assert.equal(editor.shown, 'a');
    editor.cover();
    ask('b', { asked: byUser() });
    queue.showAgain({ server, form: 'tool/a' });
    assert.deepEqual(states(), ['a shown', 'a hidden', 'b hidden']);
    const edited = deferred<void>();
    const elsewhere = own.context()?.setAside(() => edited.promise);
    assert.equal(queue.showAgain({ server, form: 'tool/a' }), 'setAside');
    // No other form covers what is being edited either.
    assert.equal(editor.shown, undefined);
    edited.resolve();
    await elsewhere;
    own.answer('yes');
    await own.outcome;
    assert.equal(queue.showAgain({ server, form: 'tool/a' }), undefined);
    assert.equal(queue.showAgain({ server, form: 'tool/c' }), undefined);
  });

  it('that a click brought up get the keyboard back from the second click, and older ones do not', () => {
    const { editor, queue, ask } = createQuestions();
    queue.showAsked(0);
    ask('older', { asked: byUser() });
    editor.cover();
    const [older] = queue.waiting;
    ask('newer', { asked: byUser() });
    editor.cover();
    queue.showAsked((older?.since ?? 0) + 1);
    assert.equal(editor.shown, 'newer');
    editor.cover();
    queue.showAsked(Infinity);
    assert.equal(editor.shown, '(something else)');
  });

  it('that a click showed again get the keyboard back from the second click, however long they have waited', () => {
    const { editor, queue, ask } = createQuestions();
    ask('open', { asked: byUser(), form: 'prompt' });
    ask('newer', { asked: byUser() });
    editor.cover();
    const click = (queue.waiting.at(-1)?.since ?? 0) + 1;
    queue.showAsked(click);
    assert.equal(editor.shown, '(something else)');
    assert.equal(queue.showAgain({ server: { id: 'demo' }, form: 'prompt' }), 'hidden');
    editor.cover();
    queue.showAsked(click);
    assert.equal(editor.shown, 'open');
  });

  it('that the start of a server waits for are shown again for that, and no other is', () => {
    const { editor, queue, ask } = createQuestions();
    ask('call', { asked: byUser() });
    editor.cover();
    ask('trust', { kind: 'trust', asked: byUser(), isFor: (id) => id === 'second' });
    editor.cover();
    queue.showStart('third');
    assert.equal(editor.shown, '(something else)');
    for (const id of ['demo', 'second']) {
      queue.showStart(id);
      assert.equal(editor.shown, 'trust');
      editor.cover();
    }
  });

  it('that the user looks at elsewhere are called back by a start that waits for them', () => {
    const { queue, ask } = createQuestions();
    let recalls = 0;
    const trust = ask('trust', { kind: 'trust', asked: byUser(), recall: () => (recalls += 1) });
    queue.showStart('demo');
    assert.equal(recalls, 0);
    void trust.context()?.setAside(() => new Promise(() => {}));
    queue.showStart('demo');
    assert.equal(recalls, 1);
  });

  it('that the user looks at elsewhere are called back by who wants to see what waits, once nothing else does', async () => {
    const { queue, ask, editor } = createQuestions();
    let recalls = 0;
    const trust = ask('trust', { kind: 'trust', asked: byUser(), recall: () => (recalls += 1) });
    void trust.context()?.setAside(() => new Promise(() => {}));
    const call = ask('call', { asked: byUser() });
    editor.cover();
    assert.ok(queue.open());
    assert.equal(editor.shown, 'call');
    assert.equal(recalls, 0);
    call.answer('yes');
    await call.outcome;
    assert.ok(queue.open());
    assert.equal(recalls, 1);
  });

  it('that are edited elsewhere are nothing to show', () => {
    const { queue, ask } = createQuestions();
    const edited = ask('call', { asked: byUser() });
    void edited.context()?.setAside(() => new Promise(() => {}));
    assert.ok(!queue.open());
  });

  it('that are forms of a server are taken back with it, and nothing else is', async () => {
    const { queue, ask, states } = createQuestions();
    const form = ask('form', { kind: 'form', form: 'tool/a', asked: byUser() });
    ask('removal', { kind: 'form', asked: byUser() });
    ask('other', { form: 'tool/a', asked: byUser(), server: { id: 'other', name: 'other' } });
    queue.withdrawForms('demo');
    assert.deepEqual(await form.outcome, { kind: 'withdrawn', reason: 'serverStopped' });
    assert.ok(form.context()?.signal.aborted);
    assert.deepEqual(states(), ['removal hidden', 'other shown']);
  });

  it('tell which view a key is for, none while something else is shown', () => {
    const { editor, queue, ask } = createQuestions();
    ask('a');
    assert.ok(queue.view);
    editor.cover();
    assert.equal(queue.view, undefined);
    assert.equal(queue.mode, 'covered');
  });

  it('say at once what has the keys, however often that changes', async () => {
    const { editor, queue, ask } = createQuestions();
    const told: string[] = [];
    queue.onDidChangeMode(() => told.push(queue.mode));
    const a = ask('a');
    assert.deepEqual(told, ['decision']);
    editor.cover();
    assert.deepEqual(told, ['decision', 'covered']);
    queue.release();
    assert.deepEqual(told, ['decision', 'covered', 'decision']);
    a.answer('yes');
    await a.outcome;
    await settled();
    assert.deepEqual(told, ['decision', 'covered', 'decision', '']);
  });

  it('fail with what showing them throws', async () => {
    const { queue } = createQuestions();
    const server = { id: 's', name: 's' };
    const info: QuestionInfo = { kind: 'call', server, what: '' };
    const ask = () => Promise.reject(new Error('broken'));
    await assert.rejects(queue.ask({ info, ask }, new AbortController().signal), /broken/);
    assert.deepEqual(queue.waiting, []);
  });
});
