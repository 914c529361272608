import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Switches } from '../configuration';
import { affectsAdministrator, readAdministrator } from './administrator';
import type { ServerSwitches } from './serverSwitches';

/** How long the editor may take to tell one window what another one stored, in milliseconds. */
const spreadMs = 6000;

/** Makes the switches that keep servers off besides their own entries: the administrator's rules, then the user's switches. */
export function createSwitches(user: ServerSwitches): Switches & Disposable {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  store.add(user.onDidChange(() => changed.fire()));
  const later = store.add(new Timer(() => user.lookAgain()));
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return;
      user.lookAgain();
      later.start(spreadMs);
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (affectsAdministrator(event)) changed.fire();
    }),
  );
  return {
    states: () => {
      const ruleOf = readAdministrator();
      const stateOf = user.states();
      return (server) => {
        const rule = ruleOf(server.definition);
        if (rule !== undefined) return { kind: 'forbidden', rule };
        const by = stateOf(server);
        return by && { kind: 'disabled', by };
      };
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}
