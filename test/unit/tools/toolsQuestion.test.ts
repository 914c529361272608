import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { delay } from '../../../src/base/async';
import { roomAt, widthOf } from '../../../src/base/text/rows';
import type { JsonObject, Tool } from '../../../src/mcp/protocol/types';
import { type QuestionOutcome, coverages, durations } from '../../../src/contracts/questionOutcome';
import { type Confirmed, confirmToolCall } from '../../../src/gate/ask/callQuestions';
import {
  type Choice,
  type DefaultChoice,
  type DetailView,
  type QuestionItem,
  questionItems,
} from '../../../src/gate/ask/questionItems';
import type { Proposal } from '../../../src/gate/ask/callQuestion';
import type { ToolCall } from '../../../src/contracts/toolCalls';
import { byUser, type Question } from '../../../src/ui/questions/question';
import { newQuestions } from '../../support/host/newQuestions';
import { poll } from '../../support/poll';
import { fakeServer, tool } from '../../support/fakes/fakeServer';

const { createQuickPick } = vscode.window;
const server = { id: 'demo', name: 'demo' };
const declined: Confirmed = { decision: { kind: 'deny' }, coverage: 'tool' };
const hidden = '\u202Erm -rf\u202C \u{E0041}$(trash)';

function questionOf(
  given: { tool?: Partial<Tool>; arguments?: JsonObject } & Partial<
    Pick<Proposal, 'concerns' | 'canGoBack'> & Pick<ToolCall, 'origin'>
  > = {},
): Proposal {
  const asked = tool(given.tool);
  const call = {
    server: fakeServer({ tools: [asked] }),
    tool: asked,
    arguments: given.arguments ?? { path: 'a.txt' },
    origin: given.origin ?? { kind: 'editor' },
  } as const;
  const { concerns = [], canGoBack = false } = given;
  return { call, proposed: call.arguments, concerns, canGoBack };
}

/** A question on the screen, and what a user can do with it. */
class Asked {
  readonly pick: vscode.QuickPick<QuestionItem>;
  readonly outcome: Promise<QuestionOutcome<Confirmed>>;
  readonly withdrawn = new AbortController();
  readonly questions = newQuestions();
  /** The row that the editor last reported as active: for a moment after rows were redrawn, the first one. */
  #told: QuestionItem | undefined;

  constructor(question: Proposal, defaultChoice: DefaultChoice = 'deny') {
    let created: vscode.QuickPick<QuestionItem> | undefined;
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const pick = createQuickPick<T>();
      created = pick as unknown as vscode.QuickPick<QuestionItem>;
      return pick;
    };
    this.outcome = this.ask((context) =>
      confirmToolCall(question, context, { defaultChoice, coverage: 'tool', isUnfinished: false }),
    );
    assert.ok(created);
    this.pick = created;
    created.onDidChangeActive(([active]) => (this.#told = active));
    vscode.window.createQuickPick = createQuickPick;
  }

  /** Adds another question that waits behind this one. */
  ask(ask: Question<Confirmed>['ask']): Promise<QuestionOutcome<Confirmed>> {
    const cause = { kind: 'call', server, what: 'run tool' } as const;
    return this.questions.ask({ info: cause, declined, ask }, this.withdrawn.signal);
  }

  /** Clicks the active row until the question is answered. */
  async click(): Promise<Confirmed> {
    return this.#act('acceptSelectedQuickOpenItem', 'click');
  }

  /** Clicks a row, and redraws the rows before the editor has reported all of the click. */
  async clickWhileDrawn(isWanted: (choice: Choice) => boolean): Promise<Confirmed> {
    const row = this.pick.items.find(({ choice }) => choice && isWanted(choice));
    assert.ok(row);
    const [active] = this.pick.activeItems;
    await this.moveTo(isWanted);
    const clicked = this.pick.onDidChangeSelection(() => {
      this.pick.activeItems = active ? [active] : [];
    });
    try {
      return await this.click();
    } finally {
      clicked.dispose();
    }
  }

  /** Clicks the row of a detail to look at. */
  async look(isWanted: (look: DetailView) => boolean = () => true): Promise<DetailView> {
    await this.moveTo((choice) => choice.kind === 'look' && isWanted(choice.at));
    const { decision } = await this.click();
    assert.ok(decision.kind === 'look');
    return decision.at;
  }

  /** Presses Enter. */
  async enter(): Promise<Confirmed> {
    this.questions.view?.enter();
    return this.#answer('key');
  }

  async escape(): Promise<Confirmed> {
    this.questions.view?.escape();
    return this.#answer('key');
  }

  async #answer(how: 'click' | 'key'): Promise<Confirmed> {
    const outcome = await this.outcome;
    assert.ok(outcome.kind === 'answered');
    assert.equal(outcome.how, how);
    return outcome.answer;
  }

  /** Moves to the row of a choice. */
  async moveTo(isWanted: (choice: Choice) => boolean): Promise<void> {
    const row = this.pick.items.find(({ choice }) => choice && isWanted(choice));
    assert.ok(row);
    // After the timer with which a question that redrew its rows makes one of them active.
    await delay(0);
    await poll('the row', 10_000, () => {
      if (this.#told === row) return Promise.resolve(true);
      this.pick.activeItems = [row];
      return Promise.resolve(undefined);
    });
  }

  /** Clicks the row of a choice until `done` returns true. */
  async choose(isWanted: (choice: Choice) => boolean, done: () => boolean): Promise<void> {
    await this.moveTo(isWanted);
    await this.#repeat('acceptSelectedQuickOpenItem', 'what the row does', done);
  }

  /** Chooses what an approval covers. */
  async cover(coverage: (typeof coverages)[number]): Promise<void> {
    for (let steps = coverages.indexOf(coverage); steps > 0; steps -= 1) {
      const [before] = this.pick.items;
      await this.choose(
        ({ kind }) => kind === 'nextExtent',
        () => this.pick.items[0] !== before,
      );
    }
  }

  get rows(): string[] {
    return this.pick.items.map(({ label }) => label);
  }

  async #act(command: string, how: 'click' | 'key'): Promise<Confirmed> {
    let ended = false;
    void this.outcome.then(() => (ended = true));
    await this.#repeat(command, 'an answer', () => ended);
    return this.#answer(how);
  }

  /** Runs a command of the editor until `done` returns true. */
  async #repeat(command: string, what: string, done: () => boolean): Promise<void> {
    let outcome: unknown;
    void this.outcome.then((ended) => (outcome = ended));
    const repeated = poll(what, 10_000, async () => {
      if (done()) return true;
      await vscode.commands.executeCommand(`workbench.action.${command}`);
      return undefined;
    });
    await repeated.catch((error: unknown) => {
      const state = JSON.stringify({ active: this.#told?.label, outcome });
      throw new Error(`${String(error)} ${state}`);
    });
  }
}

describe('tools’ question', () => {
  const { workspaceFolders } = vscode.workspace;
  before('open a folder, for which approvals can be given', () =>
    Object.assign(vscode.workspace, { workspaceFolders: [{ name: 'app', index: 0 }] }),
  );
  after(() => Object.assign(vscode.workspace, { workspaceFolders }));

  let asked: Asked | undefined;
  const ask = (...given: ConstructorParameters<typeof Asked>) => (asked = new Asked(...given));
  afterEach(async () => {
    vscode.window.createQuickPick = createQuickPick;
    asked?.withdrawn.abort();
    await asked?.outcome;
  });

  for (const duration of durations)
    for (const coverage of coverages)
      it(`lets a call be allowed (${duration}, ${coverage})`, async () => {
        const question = ask(questionOf());
        await question.cover(coverage);
        await question.moveTo((choice) => choice.kind === 'allow' && choice.duration === duration);
        const decision = { kind: 'allow', duration };
        assert.deepEqual(await question.click(), { decision, coverage });
      });

  const defaults = [
    ['deny', { kind: 'deny' }],
    ['edit', { kind: 'edit' }],
    ['allow', { kind: 'allow' }],
  ] as const;
  for (const [choice, decision] of defaults) {
    it(`takes Enter for ${choice} where the user set that`, async () => {
      assert.deepEqual((await ask(questionOf(), choice).enter()).decision, decision);
    });
    it(`takes Escape for a denial where the default is ${choice}`, async () => {
      assert.deepEqual((await ask(questionOf(), choice).escape()).decision, { kind: 'deny' });
    });
  }

  it('is answered by the row that was clicked, also while its rows are drawn anew', async () => {
    const question = ask(questionOf());
    const isAllow = (choice: Choice) => choice.kind === 'allow' && !choice.duration;
    assert.deepEqual((await question.clickWhileDrawn(isAllow)).decision, { kind: 'allow' });
  });

  for (const kind of ['edit', 'denyWhy'] as const)
    it(`is left to ${kind}`, async () => {
      const question = ask(questionOf());
      await question.moveTo((choice) => choice.kind === kind);
      assert.deepEqual((await question.click()).decision, { kind });
    });

  it('about a call of one’s own has Run first, whatever Enter does in others, and no denial', async () => {
    const question = ask(
      questionOf({ origin: { kind: 'user', action: byUser() }, canGoBack: true }),
      'deny',
    );
    const choices = question.pick.items.flatMap(({ choice }) => choice?.kind ?? []);
    const rows = question.rows.slice(question.rows.indexOf('Your decision') + 1);
    assert.deepEqual(rows.slice(0, 2), ['Run', 'Edit Arguments…']);
    assert.deepEqual(
      choices.filter((kind) => kind === 'deny' || kind === 'denyWhy'),
      [],
    );
    assert.match(question.pick.placeholder ?? '', /Enter runs it, Escape goes back/);
    assert.deepEqual((await question.enter()).decision, { kind: 'allow' });
  });

  const app = { kind: 'app', uri: 'ui://a', fingerprint: '', canChange: false } as const;
  const agent = { kind: 'agent', entry: 'a', label: 'a', conversation: '1' } as const;
  for (const [whose, origin, words] of [
    ['one’s own', { kind: 'user', action: byUser() }, { run: 'Run', ask: /^Run /, no: undefined }],
    ['the chat', { kind: 'chat', conversation: '1', answer: '1' }, undefined],
    ['another model', { kind: 'editor' }, undefined],
    ['an agent', agent, undefined],
    ['an app', app, undefined],
    ['saved calls', { kind: 'savedCalls', file: 'a' }, undefined],
  ] as const)
    it(`says Run for one’s own calls alone, and Allow and Deny for those of others: ${whose}`, () => {
      const { run, ask: asks, no } = words ?? { run: 'Allow Once', ask: /^Allow /, no: 'Deny' };
      const { pick, rows, withdrawn } = ask(questionOf({ origin }));
      assert.match(pick.prompt ?? '', asks);
      assert.deepEqual(
        rows.filter((row) => ['Run', 'Allow Once', 'Deny'].includes(row)),
        [...(no === undefined ? [] : [no]), run],
      );
      withdrawn.abort();
    });

  it('about a call of one’s own that no action of theirs began runs nothing by Enter', async () => {
    const question = ask(questionOf({ origin: { kind: 'user', action: undefined } }), 'allow');
    question.questions.view?.enter();
    assert.deepEqual([question.pick.placeholder, question.pick.activeItems], ['', []]);
    assert.deepEqual((await question.escape()).decision, { kind: 'back' });
  });

  it('about a call of one’s own leads back with Escape, and says so only where it was written by hand', async () => {
    const question = ask(questionOf({ origin: { kind: 'user', action: byUser() } }), 'deny');
    assert.match(question.pick.placeholder ?? '', /Enter runs it, Escape cancels/);
    assert.deepEqual((await question.escape()).decision, { kind: 'back' });
  });

  it('is withdrawn when it is taken back', async () => {
    const question = ask(questionOf());
    question.withdrawn.abort();
    assert.deepEqual(await question.outcome, { kind: 'withdrawn', reason: 'cancelled' });
  });

  it('shows what is sent beside the arguments, which is opened whole', () => {
    const proposal = questionOf();
    const meta = { 'example.org/trace': 't1' };
    const options = {
      coverage: 'tool',
      waiting: 1,
      hasWorkspace: true,
      isUnfinished: false,
    } as const;
    const rowsOf = (call: ToolCall) =>
      questionItems({ ...proposal, call }, options).filter(({ label }) =>
        label.startsWith('_meta'),
      );
    assert.deepEqual(rowsOf(proposal.call), []);
    const [row] = rowsOf({ ...proposal.call, meta });
    assert.match(row?.label ?? '', /^_meta: \{"example\.org\/trace":"t1"\}$/);
    assert.ok(row?.choice?.kind === 'look');
    assert.deepEqual(JSON.parse(row.choice.at.text), meta);
  });

  it('shows how many wait, and declines all of them', async () => {
    const question = ask(questionOf());
    assert.equal(question.pick.title, 'demo › tool');
    const other = question.ask(() => new Promise(() => {}));
    await poll('the count in the title', 20_000, async () =>
      question.pick.title === 'demo › tool (1 of 2)' ? true : undefined,
    );
    let ended = false;
    void other.then(() => (ended = true));
    await question.choose(
      ({ kind }) => kind === 'denyAll',
      () => ended,
    );
    const all = { kind: 'answered', answer: declined, how: 'click' };
    assert.deepEqual([await question.outcome, await other], [all, all]);
  });

  it('shows what a server wrote as text: hidden characters visible, no icons', () => {
    const { rows, pick } = ask(
      questionOf({
        tool: { title: hidden, description: hidden },
        arguments: { command: hidden },
      }),
    );
    const texts = [...rows, pick.title ?? '', pick.placeholder ?? ''];
    assert.equal(texts.filter((text) => text.includes('⟨U+202E⟩rm -rf')).length, 3);
    for (const text of texts) assert.doesNotMatch(text, /\$\(|\u202E|\u{E0041}/u);
  });

  it('says of itself only what its server claims, marked as its words', () => {
    const says = (annotations: Tool['annotations']) => {
      const { rows } = ask(questionOf({ tool: { ...(annotations && { annotations }) } }));
      const at = rows.findIndex((row) => row.startsWith('The server claims'));
      return at < 0 ? [] : rows.slice(at);
    };
    const claims = says({ readOnlyHint: true, destructiveHint: false, openWorldHint: true });
    assert.equal(
      claims.map((row) => row.trim()).join(' '),
      'The server claims: only reads, only adds, reaches outside systems',
    );
    // A row is cut where it ends.
    for (const row of claims) assert.ok(widthOf(row.trimEnd()) <= roomAt({}).first, row);
    asked?.withdrawn.abort();
    assert.deepEqual(says(undefined), []);
  });

  it('shows each argument in a row, says what is elsewhere, and leads to the whole', async () => {
    const text = `${'x'.repeat(200)}\u202E${'x'.repeat(300)}end`;
    const args = { text, ...Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`a${i}`, i])) };
    const question = ask(questionOf({ arguments: args }));
    assert.match(question.rows[1] ?? '', /^text: "x+ … x+end"$/);
    const shown = ['a0: 0', 'a1: 1', 'a2: 2', 'a3: 3', 'a4: 4', 'Show All'];
    assert.deepEqual(question.rows.slice(2, 8), shown);
    assert.match(
      question.pick.items[7]?.description ?? '',
      /^⚠ some invisible · 3 more arguments · \d+ characters more$/,
    );
    assert.deepEqual(JSON.parse((await question.look()).text), args);
  });

  it('counts one argument as one', () => {
    const args = Object.fromEntries(
      Array.from({ length: 7 }, (_, i) => [`a${i}`, 'x'.repeat(900)]),
    );
    const shown = ask(questionOf({ arguments: args })).pick.items;
    const all = shown.find(({ label }) => label === 'Show All');
    assert.match(all?.description ?? '', /^1 more argument · /);
  });

  it('has the decisions in the first ten rows whatever the arguments are', () => {
    const args = Object.fromEntries(
      Array.from({ length: 90 }, (_, i) => [`a${i}`, 'x'.repeat(900)]),
    );
    const { pick } = ask(questionOf({ arguments: args }));
    const rows = pick.items.filter(({ kind }) => kind !== vscode.QuickPickItemKind.Separator);
    const kinds = rows.slice(0, 10).flatMap(({ choice }) => choice?.kind ?? []);
    for (const kind of ['deny', 'allow', 'edit'] as const) assert.ok(kinds.includes(kind), kind);
  });

  it('shows the beginning of a long description and leads to the whole of it', async () => {
    const description = Array.from({ length: 40 }, (_, i) => `Sentence ${i}.`).join('\n');
    const question = ask(questionOf({ tool: { description } }));
    const { text } = await question.look(({ name }) => name.startsWith('description'));
    assert.equal(text, description);
  });

  it('names what has changed and leads to the difference', async () => {
    const changes = [
      { part: 'description', before: 'Reads', after: 'Sends' },
      { part: 'annotations', before: '', after: '{}' },
    ] as const;
    const question = ask(questionOf({ concerns: [{ kind: 'changed', changes }] }));
    assert.equal(question.rows[1], 'Changed since you last saw it: description, annotations');
    const { before = '', text } = await question.look();
    assert.match(before, /description:\nReads\n/);
    assert.match(text, /description:\nSends\n/);
  });

  const concerns: readonly [Proposal['concerns'][number], RegExp][] = [
    [
      {
        kind: 'lookAlike',
        other: { server: { id: 'b', name: 'b' }, tool: 'tool', same: true },
      },
      /^Tool of the same name on: b$/,
    ],
    [
      {
        kind: 'lookAlike',
        other: { server: { id: 'b', name: 'b' }, tool: 'tооl', same: false },
      },
      /^Resembles tооl from b$/,
    ],
    [{ kind: 'askList' }, /^A rule has this tool asked about each time$/],
    [{ kind: 'tainted' }, /contains untrusted content/],
    [{ kind: 'over', limit: 'minute' }, /limit of calls per minute/],
    [{ kind: 'over', limit: 'answer' }, /limit of calls per answer/],
    [
      { kind: 'arguments', problems: [{ path: ['a'], kind: 'missing' }] },
      /^Arguments do not match the tool: "a" is missing$/,
    ],
    [
      { kind: 'formats', problems: [{ path: ['a'], kind: 'format', format: 'email' }] },
      /^Unexpected format: "a": not an email address$/,
    ],
    [{ kind: 'unchecked', reason: 'time' }, /^Arguments not checked: the check took too long$/],
  ];
  for (const [concern, pattern] of concerns)
    it(`tells first that ${pattern.source}`, () => {
      const [heading, ...rows] = ask(questionOf({ concerns: [concern] })).rows;
      assert.equal(heading, 'Before you decide');
      const said = rows.slice(0, rows.indexOf('Arguments')).join('').replaceAll('\u2003 ', '');
      assert.match(said, pattern);
    });

  it('tells in one line which servers have a tool of the same name, in as many rows as that needs', () => {
    const on = (name: string, same = true) =>
      ({ kind: 'lookAlike', other: { server: { id: name, name }, tool: 'tool', same } }) as const;
    const { rows } = ask(questionOf({ concerns: [on('b'), on('x', false), on('c')] }));
    assert.deepEqual(rows.slice(0, rows.indexOf('Arguments')), [
      'Before you decide',
      'Tool of the same name on: b, c',
      'Resembles tool from x',
    ]);
  });

  it('offers nothing that lasts where a rule has the tool asked about each time', () => {
    const lasting = (about: Proposal['concerns']) =>
      ask(questionOf({ concerns: about })).rows.filter((row) =>
        /Session|Always|Applies to/.test(row),
      );
    assert.notDeepEqual(lasting([]), []);
    assert.deepEqual(lasting([{ kind: 'askList' }]), []);
  });
});
