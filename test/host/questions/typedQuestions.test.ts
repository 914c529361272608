import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { silentLogger } from '../../../src/base/log';
import type { Launch } from '../../../src/config/launch/launch';
import { createTrustQuestion } from '../../../src/config/trust/trustQuestion';
import { parseServerConfig } from '../../../src/mcp/launch/parseServerConfig';
import { defaultLimits } from '../../../src/mcp/serverLimits';
import { elicitVisit } from '../../../src/requests/elicitation/elicitVisit';
import { readWebAddress } from '../../../src/requests/elicitation/webAddress';
import { askConsent } from '../../../src/requests/sampling/consent';
import { askVisit } from '../../../src/servers/signIn/askVisit';
import { confirmToolCall } from '../../../src/gate/ask/confirmToolCall';
import type { DefaultChoice } from '../../../src/gate/ask/questionItems';
import type { CallOrigin } from '../../../src/contracts/toolCalls';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import type { Questions } from '../../../src/ui/questions/questions';
import type { Asking, QuestionKind } from '../../../src/ui/questions/stage';
import { askChoice } from '../../../src/ui/steps/choiceStep';
import { reviewValues } from '../../../src/ui/steps/formReview';
import { pickItem } from '../../../src/ui/steps/pickItem';
import { pickRow } from '../../../src/ui/steps/pickRows';
import type { StepFrame } from '../../../src/ui/steps/stepFrame';
import { askText } from '../../../src/ui/steps/textStep';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

const server = { id: 'demo', name: 'demo' };
const { createQuickPick } = vscode.window;
const { signal } = new AbortController();
/** Longer than keys are ever ignored. */
const lateMs = 10_000;

/** The questions of a window whose clock is stopped. */
class Window {
  time = 0;
  readonly queue = new QuestionQueue({
    now: () => this.time,
    quietMs: 700,
    whenDrawn: (then) => then(),
    mayShow: () => true,
  });
  readonly questions = this.queue as unknown as Questions;

  async ask<T>(
    kind: QuestionKind,
    ask: (frame: StepFrame) => Promise<T>,
    { asked = true } = {},
  ): Promise<T | string> {
    const asking: Asking<T> = {
      cause: { kind, server, what: 'decide', asked },
      ask: (stage) => ask({ title: 'demo', actions: [], stage }),
    };
    const outcome = await this.queue.ask(asking, signal);
    return outcome.kind === 'answered' ? outcome.answer : outcome.kind;
  }
}

function confirm(window: Window, origin: CallOrigin, defaultChoice: DefaultChoice) {
  const asked = tool();
  const args = { path: 'a.txt', all: 'for this session' };
  const call = { server: fakeServer({ tools: [asked] }), tool: asked, arguments: args, origin };
  const options = { defaultChoice, coverage: 'tool', isUnfinished: false } as const;
  return window.ask('call', async ({ stage }) => {
    assert.ok(stage);
    const question = { call, proposed: args, concerns: [], canGoBack: false };
    return (await confirmToolCall(question, stage, options)).decision;
  });
}

function trust(window: Window, names: readonly string[]) {
  const ask = createTrustQuestion({
    logs: { extension: silentLogger },
    questions: window.questions,
    input: {} as DocumentInput,
  });
  const answers = names.map((name) => {
    const parsed = parseServerConfig({ command: 'node', args: ['start.js', name] });
    assert.ok('config' in parsed);
    const { config } = parsed;
    const place = 'User Settings';
    const launch: Launch = { serverName: name, place, config, written: config };
    const reading = { scope: 'user', label: place, entries: [], problems: [] } as const;
    const definition = { id: name, name, config, source: { label: place }, limits: defaultLimits };
    const located = { reading: { ...reading, inputs: undefined }, definition };
    return ask({ launch, server: located, text: `node ${name}`, before: undefined }, signal);
  });
  return Promise.all(answers);
}

/** Each asks a question and resolves to the answer; `byDefault` is the only answer that Enter may give. */
const kinds: Readonly<
  Record<
    string,
    { readonly begin: (window: Window) => Promise<unknown>; readonly byDefault: unknown }
  >
> = {
  'a call': {
    begin: (window) => confirm(window, { kind: 'editor' }, 'deny'),
    byDefault: { kind: 'deny' },
  },
  'a call that Enter allows': {
    begin: (window) => confirm(window, { kind: 'editor' }, 'allow'),
    byDefault: { kind: 'allow' },
  },
  'a call of the user': {
    begin: (window) => confirm(window, { kind: 'user' }, 'deny'),
    byDefault: { kind: 'allow' },
  },
  'a launch': { begin: (window) => trust(window, ['demo']), byDefault: ['notNow'] },
  'a list of launches': {
    begin: (window) => trust(window, ['demo', 'start', 'all']),
    byDefault: ['notNow', 'notNow', 'notNow'],
  },
  'the use of a language model': {
    begin: (window) =>
      window.ask('sampling', (frame) => askConsent(server, frame, { requests: 1, tokens: 1 })),
    byDefault: undefined,
  },
  'a sign-in': {
    begin: (window) => {
      const page = { url: new URL('https://open.example'), state: 'open' };
      return askVisit(server, page, window.questions, signal);
    },
    byDefault: undefined,
  },
  'a page to visit': {
    begin: async (window) => {
      const address = await readWebAddress('https://open.example/copy');
      assert.ok(address);
      return window.ask('elicitation', (frame) => elicitVisit('Open it', address, frame));
    },
    byDefault: 'decline',
  },
  'a form that is filled in': {
    begin: (window) =>
      window.ask('form', (frame) => {
        const kind = { kind: 'text' } as const;
        const field = { name: 'name', title: 'name', kind, schema: {}, required: false };
        const recipient = {
          intro: '',
          submit: 'Send',
          decline: 'Decline',
          warning: () => undefined,
        };
        const form = { fields: [field], values: { name: 'Ada' }, problem: undefined };
        return reviewValues({ frame, ...recipient, ...form });
      }),
    byDefault: { kind: 'submit' },
  },
};

/**
 * Returns every letter of the labels, each word and its first two letters, and the whole labels: each row is the
 * first match of one of them.
 */
function textsOf(items: readonly vscode.QuickPickItem[]): ReadonlySet<string> {
  const texts = new Set<string>();
  for (const { label, kind } of items) {
    if (kind === vscode.QuickPickItemKind.Separator) continue;
    const letters = label.toLowerCase();
    for (const letter of letters) texts.add(letter.trim());
    for (const word of letters.split(/\s+/)) texts.add(word.slice(0, 2)).add(word);
    texts.add(label);
  }
  texts.delete('');
  return texts;
}

/** Resolves when the window has done everything so far and has reported it. */
async function settled(): Promise<void> {
  await vscode.commands.executeCommand('setContext', 'mcpWorkbench.test', 1);
}

describe('what is typed into a question', function () {
  this.timeout(120_000);
  let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;

  before(() => {
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const created = createQuickPick<T>();
      pick = created;
      return created;
    };
  });
  after(() => {
    vscode.window.createQuickPick = createQuickPick;
  });

  for (const [name, { begin, byDefault }] of Object.entries(kinds))
    for (const isLate of [false, true])
      it(`takes nothing but the default of ${name}: parts of all its labels, with Enter, ${isLate ? 'later' : 'as it comes up'}`, async () => {
        const window = new Window();
        let isOpen = false;
        const answers: unknown[] = [];
        const open = async () => {
          isOpen = true;
          void begin(window).then((answer) => {
            answers.push(answer);
            isOpen = false;
          });
          await settled();
          await settled();
        };
        const enter = async () => {
          if (isLate) window.time += lateMs;
          window.queue.face?.enter();
          await settled();
        };
        await open();
        assert.ok(pick);
        const texts = textsOf(pick.items);
        assert.ok(texts.size > 10);
        let isQuick = false;
        for (const text of texts) {
          if (!isOpen) await open();
          if (isLate) window.time += lateMs;
          pick.value = text;
          // Enter comes right after the last letter in every other turn, otherwise when the window has filtered its
          // rows.
          isQuick = !isQuick;
          if (!isQuick) await settled();
          await enter();
          await enter();
          for (const answer of answers.splice(0)) assert.deepEqual(answer, byDefault, text);
          if (!isLate) assert.ok(isOpen, `“${text}” decided as the question came up`);
        }
        window.time += lateMs;
        if (isOpen) window.queue.face?.escape();
        await settled();
      });
});

/** Forms that text is typed into, and what Enter gives if nothing was typed. */
const forms: Readonly<
  Record<string, { ask: (frame: StepFrame) => Promise<unknown>; readonly gives: unknown }>
> = {
  'a text': {
    ask: (title) =>
      askText(
        { title, name: 'name', required: false },
        { number: 1, count: 1, canGoBack: false, keep: () => {} },
      ),
    gives: { kind: 'next', value: undefined },
  },
  'a choice': {
    ask: (title) => {
      const options = ['red', 'blue'].map((value) => ({ value, title: value }));
      const question = { title, name: 'color', required: true, options, multiple: false };
      const place = { number: 1, count: 1, canGoBack: false };
      return askChoice({ ...question, last: 'red' }, place, { value: 'red', begun: 'red' });
    },
    gives: { kind: 'next', value: 'red' },
  },
  rows: {
    ask: (frame) => pickRow({ frame, items: [{ label: 'red' }, { label: 'blue' }] }),
    gives: { label: 'red' },
  },
};

describe('what is typed for something else', function () {
  this.timeout(60_000);

  for (const [name, { ask, gives }] of Object.entries(forms))
    it(`stays out of ${name} coming up by itself, and no Enter is taken`, async () => {
      const window = new Window();
      const picks = watchPicks();
      const answers: unknown[] = [];
      const answered = window
        .ask('elicitation', ask, { asked: false })
        .then((answer) => answers.push(answer));
      const shown = await picks.next(/^demo/);
      const { pick } = shown;
      const enter = () => {
        const { face } = window.queue;
        if (face?.mode === 'decision') face.enter();
        else shown.accept();
      };
      for (const text of ['b', 'bl']) {
        pick.value = text;
        await poll('the box to be as it was', 20_000, () =>
          Promise.resolve(pick.value === '' || undefined),
        );
        enter();
      }
      assert.match(pick.placeholder ?? '', /^Not taken/);
      assert.deepEqual(pick.selectedItems, []);
      window.queue.face?.escape();
      await settled();
      assert.deepEqual(answers, []);
      await poll('the first row to be the active one', 20_000, () =>
        Promise.resolve(pick.activeItems[0] === pick.items[0] || undefined),
      );
      window.time += lateMs;
      enter();
      await answered;
      assert.deepEqual(answers, [gives]);
      picks.dispose();
    });
});

describe('a second click', function () {
  this.timeout(60_000);

  it('on a row that was chosen decides nothing of the question that comes up below it', async () => {
    const window = new Window();
    const picks = watchPicks();
    const rows = [{ label: 'one' }, { label: 'two' }];
    const chosen = window.ask('form', (frame) => pickRow({ frame, items: rows }));
    (await picks.next(/^demo$/)).click('two');
    assert.equal(await chosen, rows[1]);
    const decisions = [{ label: 'Keep' }, { label: 'Remove' }];
    const decided: unknown[] = [];
    const deciding = window
      .ask('form', (frame) => pickItem({ frame, items: decisions }))
      .then((answer) => decided.push(answer));
    const question = await picks.next(/^demo$/);
    question.click('Remove');
    await settled();
    assert.deepEqual(decided, []);
    // The editor does not report a click on a row that it considers selected already.
    assert.deepEqual(question.pick.selectedItems, []);
    window.time += lateMs;
    question.click('Remove');
    await deciding;
    assert.deepEqual(
      decided.map((row) => (row as vscode.QuickPickItem).label),
      ['Remove'],
    );
    picks.dispose();
  });
});
