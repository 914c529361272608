import assert from 'node:assert/strict';
import { array, assert as assertProperty, constantFrom, property } from 'fast-check';
import { Typing } from '../../../../../src/ui/questions/typing';

/** The labels of every kind of question from top to bottom, with the default marked. */
const questions: Readonly<Record<string, readonly string[]>> = {
  'a call': [
    'path: "a.txt"',
    '*Deny',
    'Allow Once',
    'Edit Arguments…',
    'Allow for This Session',
    'Allow in This Workspace',
    'Always Allow',
    'Applies to: this tool',
  ],
  'a call that Enter allows': ['path: "a.txt"', 'Deny', '*Allow Once', 'Always Allow'],
  'a launch': ['Command line', '*Not Now', 'Trust and Start', 'Not for This Workspace'],
  'a list of servers': ['*Not Now for All', 'Start Checked (2)', 'demo', 'other'],
  'a consent': ['Review This Request', '*Not Now', 'Allow a Budget', 'Never'],
  'a page to visit': ['example.com', 'Open in Browser', 'Copy Address', '*Decline'],
  'a form to send': ['*Send to demo', 'Decline', 'name'],
};

/** The editor around a question: with every letter, it moves to the first row and reports the move and the text. */
class Editor {
  readonly taken: string[] = [];
  private readonly typing: Typing<string>;
  private readonly rows: readonly string[];
  private active: string;
  private box = '';
  private time = 1000;
  /** True if the editor has been told something that it has not done yet. */
  private pending = false;
  /** Draws what was shown, if that did not happen immediately. */
  draw = () => {};

  constructor(rows: readonly string[], { drawn = true } = {}) {
    this.rows = rows;
    this.active = this.default;
    const clock = {
      now: () => this.time,
      quietMs: 700,
      whenDrawn: (then: () => void) => {
        if (drawn) then();
        else this.draw = then;
      },
    };
    this.typing = new Typing<string>(clock, (row) => row.startsWith('*'));
    this.typing.shown();
  }

  get default(): string {
    return this.rows.find((row) => row.startsWith('*')) ?? '';
  }

  wait(ms: number): void {
    this.time += ms;
  }

  type(letter: string): void {
    this.box += letter;
    this.move(this.rows[0]);
    this.tellValue();
  }

  /** Lets the editor do what it was told. */
  catchUp(): void {
    if (!this.pending) return;
    this.pending = false;
    this.move(this.rows[0]);
    this.box = '';
    this.tellValue();
    this.move(this.default);
  }

  arrow(step: 1 | -1): void {
    const at = this.rows.indexOf(this.active) + step;
    this.move(this.rows[(at + this.rows.length) % this.rows.length]);
  }

  enter(): void {
    if (this.typing.takesOnEnter(this.active)) this.taken.push(this.active);
    else this.pending = true;
  }

  click(row: string): void {
    this.move(row);
    if (this.typing.takesOnClick) this.taken.push(row);
  }

  private move(row = ''): void {
    if (row === this.active) return;
    this.active = row;
    this.typing.changeActive(row);
  }

  private tellValue(): void {
    if (this.typing.changeValue(this.box)) this.pending = true;
  }
}

describe('Typing into', () => {
  for (const [what, rows] of Object.entries(questions)) {
    it(`${what} takes nothing but the default: every part of every label, with Enter`, () => {
      for (const label of rows)
        for (let from = 0; from < label.length; from += 1)
          for (let to = from + 1; to <= label.length; to += 1)
            for (const isQuick of [true, false]) {
              const editor = new Editor(rows);
              editor.wait(701);
              for (const letter of label.slice(from, to)) {
                editor.type(letter);
                if (!isQuick) editor.catchUp();
              }
              editor.enter();
              editor.catchUp();
              editor.enter();
              for (const row of editor.taken) assert.equal(row, editor.default);
            }
    });

    it(`${what} takes another row only after an arrow with nothing typed since`, () => {
      const step = constantFrom('type', 'up', 'down', 'enter', 'catchUp');
      assertProperty(
        property(array(step, { maxLength: 30 }), (steps) => {
          const editor = new Editor(rows);
          editor.wait(701);
          let moved = false;
          for (const each of steps) {
            const before = editor.taken.length;
            if (each === 'type') editor.type('t');
            else if (each === 'enter') editor.enter();
            else if (each === 'catchUp') editor.catchUp();
            else editor.arrow(each === 'up' ? -1 : 1);
            if (each === 'type') moved = false;
            if (each === 'up' || each === 'down') moved = true;
            const [row] = editor.taken.slice(before);
            if (row !== undefined && row !== editor.default) assert.ok(moved);
          }
        }),
      );
    });
  }

  it('a question that just came up decides nothing, and neither does an arrow', () => {
    const editor = new Editor(['*Deny', 'Allow Once']);
    editor.enter();
    editor.arrow(1);
    editor.enter();
    editor.wait(699);
    editor.enter();
    assert.deepEqual(editor.taken, []);
    editor.catchUp();
    editor.wait(2);
    editor.enter();
    assert.deepEqual(editor.taken, ['*Deny']);
  });

  it('a question that a busy editor draws late decides nothing until the user has seen it for a while', () => {
    const editor = new Editor(['*Deny', 'Allow Once'], { drawn: false });
    editor.wait(5000);
    editor.enter();
    editor.draw();
    editor.wait(699);
    editor.enter();
    assert.deepEqual(editor.taken, []);
    editor.catchUp();
    editor.wait(2);
    editor.enter();
    assert.deepEqual(editor.taken, ['*Deny']);
  });

  it('a question decides nothing while somebody writes on, with pauses between letters and Enter', () => {
    const editor = new Editor(['*Deny', 'Allow Once']);
    editor.wait(701);
    for (let line = 0; line < 5; line += 1) {
      editor.type('t');
      editor.catchUp();
      for (let enter = 0; enter < 2; enter += 1) {
        editor.wait(800);
        editor.enter();
        editor.catchUp();
      }
    }
    assert.deepEqual(editor.taken, []);
    editor.wait(2100);
    editor.enter();
    assert.deepEqual(editor.taken, ['*Deny']);
  });

  it('a question leaves arrows and clicks as they are', () => {
    const editor = new Editor(['*Deny', 'Allow Once', 'Always Allow']);
    editor.wait(701);
    editor.arrow(1);
    editor.enter();
    editor.click('Always Allow');
    assert.deepEqual(editor.taken, ['Allow Once', 'Always Allow']);
  });
});
