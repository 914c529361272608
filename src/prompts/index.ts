import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { SendToChat } from '../mcp/promptDraft';
import type { Servers } from '../mcp/servers';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { TreeSection } from '../ui/tree';
import { pickPrompt } from './pickPrompt';
import { PromptHistory } from './promptHistory';
import { isPromptNode, promptSection } from './promptSection';
import { runPrompt } from './runPrompt';

/** Prompts in the palette and the tree; `sendToChat` takes the messages that a prompt gave. */
export function register(deps: {
  readonly servers: Servers;
  readonly state: vscode.Memento;
  readonly logs: Logs;
  readonly sendToChat: SendToChat;
}): Disposable & { readonly section: TreeSection } {
  const store = new DisposableStore();
  const history = new PromptHistory(deps.state);
  store.add(
    registerCommands(deps.logs, {
      [Command.runPrompt]: async (row: unknown) => {
        const entry = isPromptNode(row) ? row : await pickPrompt(deps.servers, history.recent);
        if (entry) await runPrompt(entry, { history, sendToChat: deps.sendToChat });
      },
    }),
  );
  return { section: promptSection, dispose: () => store.dispose() };
}
