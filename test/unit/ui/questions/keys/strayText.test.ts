import assert from 'node:assert/strict';
import { StrayText } from '../../../../../src/ui/questions/typing';

const note = 'Not taken';

/** A form with an input box that a user types into. */
class Form {
  private time = 1000;
  private readonly stray: StrayText;
  readonly box: { value: string; placeholder: string | undefined };
  /** The changes reported to the form. */
  readonly changes: string[] = [];
  entered = 0;

  constructor({
    isUnsolicited,
    value = '',
  }: {
    readonly isUnsolicited: boolean;
    readonly value?: string;
  }) {
    this.box = { value, placeholder: 'name (required)' };
    const clock = {
      now: () => this.time,
      quietMs: 700,
      whenDrawn: (then: () => void) => then(),
    };
    this.stray = new StrayText(this.box, clock, note);
    this.stray.shown(isUnsolicited);
  }

  wait(ms: number): void {
    this.time += ms;
  }

  /** Types letters, a tenth of a second apart. */
  type(text: string): void {
    for (const letter of text) {
      this.wait(100);
      if (letter === '\n') {
        if (!this.stray.isQuiet) this.entered += 1;
        continue;
      }
      this.box.value += letter;
      this.tell();
    }
  }

  private tell(): void {
    const { value } = this.box;
    if (!this.stray.takesBack(value)) this.changes.push(value);
    // Restoring the text is reported as a change, too.
    else this.tell();
  }
}

describe('What is typed into a form', () => {
  it('counts from the first letter where the user brought the form up', () => {
    const form = new Form({ isUnsolicited: false });
    form.type('Ada\n');
    assert.deepEqual([form.box.value, form.entered], ['Ada', 1]);
    assert.equal(form.box.placeholder, 'name (required)');
  });

  for (const [what, typed] of Object.entries({
    'a command': 'git push\n',
    'several commands': 'cd app\nls\nnpm test\n',
    'an Enter alone': '\n',
    'a long text': 'as written on and on without a pause of two seconds\n\n',
  }))
    for (const value of ['', 'half a val'])
      it(`is neither kept nor sent where the form came up by itself while that was typed: ${what}, over “${value}”`, () => {
        const form = new Form({ isUnsolicited: true, value });
        form.type(typed);
        assert.deepEqual([form.box.value, form.entered], [value, 0]);
        assert.deepEqual(
          form.changes.filter((change) => change !== value),
          [],
        );
        form.wait(2100);
        form.type('ue\n');
        assert.deepEqual([form.box.value, form.entered], [`${value}ue`, 1]);
      });

  it('counts as soon as the user has seen a form that came up by itself', () => {
    const form = new Form({ isUnsolicited: true });
    form.wait(700);
    form.type('Ada\n');
    assert.deepEqual([form.box.value, form.entered], ['Ada', 1]);
  });

  it('is said not to be taken, in the empty box, until something is', () => {
    const form = new Form({ isUnsolicited: true });
    form.type('l');
    assert.equal(form.box.placeholder, note);
    form.wait(2100);
    form.type('A');
    assert.equal(form.box.placeholder, 'name (required)');
  });
});
