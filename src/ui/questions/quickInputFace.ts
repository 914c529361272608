import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Face } from './stage';

/** Makes a quick input the face of a question; it is not disposed with that. */
export function quickInputFace(
  input: vscode.QuickInput,
  keys: Pick<Face, 'mode' | 'enter' | 'escape'> & { readonly onShow?: () => void },
): Face & Disposable {
  const store = new DisposableStore();
  const hidden = store.add(new Emitter<void>());
  let isShown = false;
  /** The editor tells later of what was taken away on purpose, too. */
  let expected = 0;
  store.add(
    input.onDidHide(() => {
      if (expected > 0) expected -= 1;
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
    show: () => {
      isShown = true;
      input.show();
      keys.onShow?.();
    },
    hide: () => {
      if (!isShown) return;
      isShown = false;
      expected += 1;
      input.hide();
    },
    dispose: () => store.dispose(),
  };
}
