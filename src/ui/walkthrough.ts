import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { registerCommands, setContextKey } from './commands';
import { openWalkthrough } from './editorCommands';
import { Command, resourceScheme, walkthroughKey } from './ids';
import type { Logs } from './logs';
import type { UserAction } from './questions/question';

/** The steps of the walkthrough, each of which an event completes. */
export type WalkthroughStep =
  'servers' | 'approval' | 'prompts' | 'resources' | 'tools' | 'requests';

/** Tells the walkthrough which of its steps are done. */
export interface Walkthrough extends Disposable {
  /** Notes that a step was done. */
  done(step: WalkthroughStep): void;
}

/** Makes the {@link Walkthrough} and the command that opens it. */
export function createWalkthrough(logs: Logs): Walkthrough {
  const store = new DisposableStore();
  const steps = new Set<WalkthroughStep>();
  const set = async (step: WalkthroughStep, isDone: boolean) =>
    setContextKey(`${walkthroughKey}.${step}`, isDone);
  const done = (step: WalkthroughStep) => {
    if (steps.has(step)) return;
    steps.add(step);
    void set(step, true);
  };
  store.add(
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === resourceScheme) done('resources');
    }),
  );
  store.add(
    registerCommands(logs, {
      [Command.openWalkthrough]: async (action: UserAction) => {
        // The editor counts what becomes true while it watches, and it watches once a walkthrough has been shown.
        for (const step of steps) await set(step, false);
        await openWalkthrough(action);
        for (const step of steps) await set(step, true);
      },
    }),
  );
  return { done, dispose: () => store.dispose() };
}
