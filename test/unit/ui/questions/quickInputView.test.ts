import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event';
import { quickInputView } from '../../../../src/ui/questions/quickInputView';

type Message = () => void;

/**
 * A quick input as seen by the extension and by the editor; messages between them arrive when the test lets them
 * through.
 */
class Editor {
  private readonly hidden = new Emitter<void>();
  readonly onDidHide = this.hidden.event;
  private readonly toEditor: Message[] = [];
  private readonly toExtension: Message[] = [];
  /**
   * Whether the extension wants it shown; `isDue` is true while a hide event is due. The editor's own code keeps the
   * same two.
   */
  private told = false;
  private isDue = false;
  private isVisible = false;

  show(): void {
    this.told = true;
    this.isDue = true;
    this.toEditor.push(() => (this.isVisible = true));
  }

  hide(): void {
    this.told = false;
    this.toEditor.push(() => this.take());
  }

  /** Lets something else replace the input. */
  cover(): void {
    this.take();
  }

  whenCaughtUp(then: () => void): void {
    this.toEditor.push(() => this.toExtension.push(then));
  }

  /** Lets this many messages through; by default, all of them. */
  arrive(count = Infinity): void {
    for (let left = count; left > 0; left -= 1) {
      const message = this.toExtension.shift() ?? this.toEditor.shift();
      if (!message) return;
      message();
    }
  }

  private take(): void {
    if (!this.isVisible) return;
    this.isVisible = false;
    this.toExtension.push(() => {
      if (!this.isDue) return;
      this.isDue = this.told;
      this.hidden.fire();
    });
  }
}

const steps = ['show', 'hide', 'arrive'] as const;

/** Returns all sequences of this many steps. */
function sequences(length: number): (typeof steps)[number][][] {
  if (length === 0) return [[]];
  return sequences(length - 1).flatMap((before) => steps.map((step) => [...before, step]));
}

describe('A question in a quick input', () => {
  it('is told to be hidden where something else takes its place, however often it came and went before', () => {
    const keys = { mode: 'decision', enter: () => {}, escape: () => {} } as const;
    for (const sequence of sequences(7)) {
      const editor = new Editor();
      const view = quickInputView(editor, keys, (then) => editor.whenCaughtUp(then));
      let told = 0;
      view.onDidHide(() => (told += 1));
      for (const step of sequence) {
        if (step === 'arrive') editor.arrive(1);
        else if (step === 'show') view.show(false);
        else view.hide();
      }
      editor.arrive();
      assert.equal(told, 0, `${sequence.join(', ')}: nothing has taken its place`);
      view.show(false);
      editor.arrive();
      editor.cover();
      editor.arrive();
      assert.equal(told, 1, sequence.join(', '));
    }
  });
});
