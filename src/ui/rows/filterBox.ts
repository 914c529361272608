import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { registerCommands, setContextKey } from '../commands';
import { Command, ContextKey, type View } from '../ids';
import type { Logs } from '../logs';
import { showUntilHidden } from './picks';

/** A list whose rows a filter is typed for. */
export interface FilteredList {
  readonly title: string;
  readonly prompt: string;
  /** Where its rows are. */
  readonly view: (typeof View)[keyof typeof View];
  readonly filter: string;
  readonly setFilter: (filter: string) => void;
}

/** Shows a list and has a filter typed, which it follows, and resolves once the box has gone. Escape alone takes back what was typed. */
export type AskFilter = (list: FilteredList) => Promise<void>;

/** Makes the box in which the filters of all lists are typed. */
export function createFilterBox(logs: Logs): Disposable & { readonly ask: AskFilter } {
  let takeBack: (() => void) | undefined;
  const commands = registerCommands(logs, {
    // The editor says of a box that it has gone, but not why: Escape is a command of its own.
    [Command.cancelFilter]: async () => {
      takeBack?.();
      // A question may have been in its place, and comes back as after anything else.
      await vscode.commands.executeCommand(Command.leaveQuestion);
    },
  });
  return {
    ask: async ({ title, prompt, view, filter, setFilter }) => {
      const store = new DisposableStore();
      const own = () => {
        setFilter(filter);
        store.dispose();
      };
      takeBack = own;
      await setContextKey(ContextKey.filtering, true);
      // It may be collapsed, and keys are for the box.
      await vscode.commands.executeCommand(`${view}.focus`, { preserveFocus: true });
      const box = store.add(vscode.window.createInputBox());
      box.title = title;
      box.prompt = prompt;
      box.value = filter;
      store.add(box.onDidChangeValue((value) => setFilter(value.trim())));
      await new Promise<void>((resolve) => {
        store.add({ dispose: resolve });
        const end = () => store.dispose();
        store.add(box.onDidAccept(end));
        showUntilHidden(box, store, end);
      });
      // Another list may have the box by now.
      if (takeBack !== own) return;
      takeBack = undefined;
      await setContextKey(ContextKey.filtering, false);
    },
    dispose: () => commands.dispose(),
  };
}
