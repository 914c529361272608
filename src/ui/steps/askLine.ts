import * as vscode from 'vscode';
import { plainLabel, plainMessage } from '../../base/text/text';
import { DisposableStore } from '../../base/disposable';
import { frameStep, type StepFrame, type StepText } from './stepFrame';

/** Asks for one line of text in an input box; `undefined` if the user dismissed it. */
export function askLine(question: {
  readonly frame: StepFrame;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** The part of the value that typing replaces, by default all of it. */
  readonly selected?: readonly [number, number];
  readonly password?: boolean;
  /** Receives what was typed if the user dismisses the box. */
  readonly left?: (text: string) => void;
  /** Returns one sentence saying why a text cannot be accepted, `undefined` if it can; called while typing, too. */
  readonly validate?: (text: string) => string | undefined;
  /** Returns one sentence saying what accepting a text will do, if there is anything to say. */
  readonly note?: (text: string) => string | undefined;
  /** The message for the first Enter in the empty box, which only the next Enter accepts. */
  readonly whenEmpty?: string;
}): Promise<string | undefined> {
  const { frame, prompt, placeholder, value = '', password = false, left, whenEmpty } = question;
  const store = new DisposableStore();
  const box = store.add(vscode.window.createInputBox());
  box.prompt = plainMessage(prompt);
  box.placeholder = placeholder && plainLabel(placeholder);
  box.value = value;
  box.valueSelection = question.selected;
  box.password = password;
  box.ignoreFocusOut = true;
  return new Promise((resolve) => {
    const end = (text: string | undefined) => {
      store.dispose();
      resolve(text);
    };
    const leave = () => {
      left?.(box.value);
      end(undefined);
    };
    const check = () => {
      const problem = question.validate?.(box.value);
      box.validationMessage =
        problem === undefined ? noted(question.note?.(box.value)) : plainMessage(problem);
      return problem === undefined;
    };
    let wasTold = false;
    const text: StepText = {
      changed: () => {
        wasTold = false;
        check();
      },
      accepted: () => {
        if (!check()) return;
        if (whenEmpty !== undefined && box.value === '' && !wasTold) {
          wasTold = true;
          box.validationMessage = noted(whenEmpty);
          return;
        }
        frame.context?.acted('key');
        end(box.value);
      },
    };
    store.add(frameStep(box, { name: '', frame, canGoBack: false, end: leave, text }));
  });
}

function noted(message: string | undefined): vscode.InputBoxValidationMessage | undefined {
  return message === undefined
    ? undefined
    : { message: plainMessage(message), severity: vscode.InputBoxValidationSeverity.Info };
}
