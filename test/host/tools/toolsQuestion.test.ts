import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/base/event';
import type { JsonObject, Tool } from '../../../src/mcp/protocol/types';
import { durations, extents } from '../../../src/tools/gate/approval';
import { confirmToolCall, type DefaultChoice } from '../../../src/tools/ask/confirmToolCall';
import type { Question } from '../../../src/tools/gate/question';
import type { Choice, QuestionItem } from '../../../src/tools/ask/questionItems';
import type { QuestionPlace } from '../../../src/tools/ask/questionQueue';
import { poll } from '../../support/poll';
import { fakeServer, tool } from '../../unit/tools/fakeServer';

const { createQuickPick } = vscode.window;
const hidden = '\u202Erm -rf\u202C \u{E0041}$(trash)';

function questionOf(
  given: { tool?: Partial<Tool>; arguments?: JsonObject } & Partial<
    Pick<Question, 'concerns'>
  > = {},
): Question {
  const asked = tool(given.tool);
  const call = {
    server: fakeServer({ tools: [asked] }),
    tool: asked,
    arguments: given.arguments ?? { path: 'a.txt' },
    origin: { kind: 'person' },
  } as const;
  return { call, proposed: call.arguments, concerns: given.concerns ?? [] };
}

/** A question on the screen, and what a person can do with it. */
class Asked implements QuestionPlace {
  readonly pick: vscode.QuickPick<QuestionItem>;
  readonly answer: ReturnType<typeof confirmToolCall>;
  readonly withdrawn = new AbortController();
  readonly waitingChanged = new Emitter<void>();
  readonly onDidChangeWaiting = this.waitingChanged.event;
  waiting = 1;
  deniedAll = 0;

  constructor(question: Question, defaultChoice: DefaultChoice = 'deny') {
    let created: vscode.QuickPick<QuestionItem> | undefined;
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const pick = createQuickPick<T>();
      created = pick as unknown as vscode.QuickPick<QuestionItem>;
      return pick;
    };
    const options = { defaultChoice, extent: 'tool' } as const;
    this.answer = confirmToolCall(question, this.withdrawn.signal, this, options);
    assert.ok(created);
    this.pick = created;
    vscode.window.createQuickPick = createQuickPick;
  }

  denyAll(): void {
    this.deniedAll += 1;
  }

  /** Presses Enter until the question is answered. */
  async enter(): ReturnType<typeof confirmToolCall> {
    return this.#press('acceptSelectedQuickOpenItem');
  }

  async escape(): ReturnType<typeof confirmToolCall> {
    return this.#press('closeQuickOpen');
  }

  /** Moves to the row of a choice. */
  async moveTo(isWanted: (choice: Choice) => boolean): Promise<void> {
    const row = this.pick.items.find(({ choice }) => choice && isWanted(choice));
    assert.ok(row);
    if (this.pick.activeItems[0] === row) return;
    const moved = new Promise<void>((resolve) => {
      const subscription = this.pick.onDidChangeActive(([active]) => {
        if (active !== row) return;
        subscription.dispose();
        resolve();
      });
    });
    this.pick.activeItems = [row];
    await moved;
  }

  /** Chooses what an allowance shall cover. */
  async cover(extent: (typeof extents)[number]): Promise<void> {
    for (let steps = extents.indexOf(extent); steps > 0; steps -= 1) {
      await this.moveTo(({ kind }) => kind === 'nextExtent');
      const [before] = this.pick.items;
      await poll('the next extent', 10_000, async () => {
        if (this.pick.items[0] !== before) return true;
        await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
        return undefined;
      });
    }
  }

  get rows(): string[] {
    return this.pick.items.map(({ label }) => label);
  }

  async #press(key: string): ReturnType<typeof confirmToolCall> {
    let answered = false;
    void this.answer.then(() => (answered = true));
    await poll('an answer', 10_000, async () => {
      if (answered) return true;
      await vscode.commands.executeCommand(`workbench.action.${key}`);
      return undefined;
    });
    return this.answer;
  }
}

describe('tools’ question', () => {
  let asked: Asked | undefined;
  const ask = (...given: ConstructorParameters<typeof Asked>) => (asked = new Asked(...given));
  afterEach(async () => {
    vscode.window.createQuickPick = createQuickPick;
    asked?.withdrawn.abort();
    await asked?.answer;
  });

  for (const duration of durations)
    for (const extent of extents)
      it(`lets a call be allowed (${duration}, ${extent})`, async () => {
        const question = ask(questionOf());
        await question.cover(extent);
        await question.moveTo((choice) => choice.kind === 'allow' && choice.duration === duration);
        const decision = { kind: 'allow', duration };
        assert.deepEqual(await question.enter(), { decision, extent });
      });

  const defaults = [
    ['deny', { kind: 'deny' }],
    ['edit', { kind: 'edit' }],
    ['allow', { kind: 'allow' }],
  ] as const;
  for (const [choice, decision] of defaults) {
    it(`takes Enter for ${choice} where the person set that`, async () => {
      assert.deepEqual((await ask(questionOf(), choice).enter()).decision, decision);
    });
    it(`takes Escape for a denial where the default is ${choice}`, async () => {
      assert.deepEqual((await ask(questionOf(), choice).escape()).decision, { kind: 'deny' });
    });
  }

  for (const kind of ['edit', 'denyWhy'] as const)
    it(`is left to ${kind}`, async () => {
      const question = ask(questionOf());
      await question.moveTo((choice) => choice.kind === kind);
      assert.deepEqual((await question.enter()).decision, { kind });
    });

  it('is denied when it is taken back', async () => {
    const question = ask(questionOf());
    question.withdrawn.abort();
    assert.deepEqual((await question.answer).decision, { kind: 'deny' });
  });

  it('shows how many wait, and denies all of them', async () => {
    const question = ask(questionOf());
    assert.equal(question.pick.title, 'demo › tool');
    question.waiting = 3;
    question.waitingChanged.fire();
    assert.equal(question.pick.title, 'demo › tool (1 of 3)');
    await question.moveTo(({ kind }) => kind === 'denyAll');
    await poll('the denial of all', 10_000, async () => {
      if (question.deniedAll > 0) return true;
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return undefined;
    });
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
    const says = (annotations: Tool['annotations']) =>
      ask(questionOf({ tool: { ...(annotations && { annotations }) } })).rows.find((row) =>
        row.startsWith('server says'),
      );
    assert.equal(
      says({ readOnlyHint: true, destructiveHint: false, openWorldHint: true }),
      'server says: read-only, not destructive, open-world',
    );
    asked?.withdrawn.abort();
    assert.equal(says(undefined), undefined);
  });

  it('shows the beginning of long arguments and leads to the whole of them', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => `line ${i}`);
    const question = ask(questionOf({ arguments: { lines } }));
    assert.ok(question.rows.includes('34 more lines: show in the editor'));
    await question.moveTo(({ kind }) => kind === 'look');
    const { decision } = await question.enter();
    assert.ok(decision.kind === 'look');
    assert.deepEqual(JSON.parse(decision.at.text), { lines });
  });

  it('shows the beginning of a long description and leads to the whole of it', async () => {
    const description = Array.from({ length: 40 }, (_, i) => `Sentence ${i}.`).join('\n');
    const question = ask(questionOf({ tool: { description } }));
    await question.moveTo(({ kind }) => kind === 'look');
    const { decision } = await question.enter();
    assert.ok(decision.kind === 'look');
    assert.equal(decision.at.text, description);
  });

  it('names what has changed and leads to the difference', async () => {
    const changes = [
      { part: 'description', before: 'Reads', after: 'Sends' },
      { part: 'annotations', before: '', after: '{}' },
    ] as const;
    const question = ask(questionOf({ concerns: [{ kind: 'changed', changes }] }));
    assert.equal(question.rows[1], 'Changed since you last saw it: description, annotations');
    await question.moveTo(({ kind }) => kind === 'look');
    const { decision } = await question.enter();
    assert.ok(decision.kind === 'look');
    assert.match(decision.at.before ?? '', /description:\nReads\n/);
    assert.match(decision.at.text, /description:\nSends\n/);
  });

  const concerns: readonly [Question['concerns'][number], RegExp][] = [
    [
      {
        kind: 'lookAlike',
        other: { server: { id: 'b', name: 'b' }, tool: 'tool', same: true },
      },
      /^b has a tool of the same name$/,
    ],
    [
      {
        kind: 'lookAlike',
        other: { server: { id: 'b', name: 'b' }, tool: 'tооl', same: false },
      },
      /^Looks like tооl of b$/,
    ],
    [{ kind: 'tainted' }, /holds text from outside/],
    [{ kind: 'over', limit: 'minute' }, /limit of calls in one minute/],
    [{ kind: 'over', limit: 'answer' }, /limit of calls in one answer/],
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
      const [heading, first] = ask(questionOf({ concerns: [concern] })).rows;
      assert.equal(heading, 'Before you decide');
      assert.match(first ?? '', pattern);
    });
});
