import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { QuestionView } from './question';

/**
 * Makes a quick input the view of a question; disposing of the view leaves the input as it is.
 * @param whenCaughtUp calls back once the editor has done, and reported, everything that it was told before.
 */
export function quickInputView(
  input: Pick<vscode.QuickInput, 'show' | 'hide' | 'onDidHide'>,
  keys: Pick<QuestionView, 'mode' | 'enter' | 'escape'> & {
    readonly onShow?: (isUnsolicited: boolean) => void;
  },
  whenCaughtUp: (then: () => void) => void,
): QuestionView & Disposable {
  const store = new DisposableStore();
  const hidden = store.add(new Emitter<void>());
  let isShown = false;
  /** Our own calls of `hide`, which the editor reports later, too, except for some if the input was hidden at once. */
  const expected = new Set<object>();
  store.add(
    input.onDidHide(() => {
      const [oldest] = expected;
      if (oldest) expected.delete(oldest);
      else if (isShown) {
        isShown = false;
        hidden.fire();
      }
    }),
  );
  return {
    mode: keys.mode,
    enter: keys.enter,
    escape: keys.escape,
    onDidHide: hidden.event,
    show: (isUnsolicited) => {
      isShown = true;
      input.show();
      keys.onShow?.(isUnsolicited);
    },
    hide: () => {
      if (!isShown) return;
      isShown = false;
      const own = {};
      expected.add(own);
      input.hide();
      whenCaughtUp(() => expected.delete(own));
    },
    dispose: () => store.dispose(),
  };
}
