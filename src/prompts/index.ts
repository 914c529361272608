import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { SendToChat } from '../mcp/promptDraft';
import type { Servers } from '../mcp/servers';
import { registerCommands } from '../ui/commands';
import type { DocumentInput } from '../ui/documentInput';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { MemoryFiles } from '../ui/memoryFiles';
import type { TreeSection } from '../ui/tree';
import { PromptDelivery } from './deliverPrompt';
import { pickPrompt } from './pickPrompt';
import { PromptHistory } from './promptHistory';
import { promptSection } from './promptSection';
import { requestOf } from './requestOf';
import { runPrompt } from './runPrompt';

/** Prompts in the palette and the tree; `sendToChat` takes the messages that a prompt gave. */
export function register(deps: {
  readonly servers: Servers;
  readonly state: vscode.Memento;
  readonly logs: Logs;
  readonly files: MemoryFiles;
  readonly input: DocumentInput;
  readonly sendToChat: SendToChat;
  /** The document that shows a resource of a server. */
  readonly resourceUri: (serverId: string, uri: string) => vscode.Uri;
}): Disposable & { readonly section: TreeSection } {
  const { servers } = deps;
  const store = new DisposableStore();
  const history = new PromptHistory(deps.state);
  const delivery = store.add(new PromptDelivery(deps));
  store.add(
    registerCommands(deps.logs, {
      [Command.runPrompt]: async (given: unknown) => {
        const request = requestOf(given, servers);
        const entry = request?.entry ?? (await pickPrompt(servers, history.recent));
        if (entry) await runPrompt({ ...request, entry }, { ...deps, history, delivery });
      },
    }),
  );
  return { section: promptSection, dispose: () => store.dispose() };
}
