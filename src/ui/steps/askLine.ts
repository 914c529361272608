import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { frameStep, type StepFrame } from './stepFrame';

/** Asks for one line of text in an input box; `undefined` when the user went away. */
export function askLine(question: {
  readonly frame: StepFrame;
  readonly prompt: string;
  readonly value?: string;
  readonly password?: boolean;
}): Promise<string | undefined> {
  const { frame, prompt, value = '', password = false } = question;
  const store = new DisposableStore();
  const box = store.add(vscode.window.createInputBox());
  box.prompt = prompt;
  box.value = value;
  box.password = password;
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const end = (text: string | undefined) => {
      store.dispose();
      resolve(text);
    };
    store.add(
      box.onDidAccept(() => {
        frame.stage?.acted('key');
        end(box.value);
      }),
    );
    store.add(frameStep(box, { name: '', frame, canGoBack: false, end: () => end(undefined) }));
  });
}
