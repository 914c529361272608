import { appUriOf } from '../../contracts/toolApps';
import type { ToolCall } from '../../contracts/toolCalls';

/** When apps open (`mcpWorkbench.apps.open`), and which tab shows a call (`mcpWorkbench.apps.tabs`). */
export type OpenMode = 'ask' | 'always' | 'never';
export type TabMode = 'perTool' | 'perCall';

/** True for calls whose app opens without a word: those of the user, or all where the user wants that; never those of apps. */
export function opensAtOnce({ origin, tool }: ToolCall, mode: OpenMode): boolean {
  if (origin.kind === 'app' || appUriOf(tool) === undefined) return false;
  return mode === 'always' || (mode === 'ask' && origin.kind === 'user');
}

/** Gives calls the keys of their tabs. */
export class TabKeys {
  private readonly ofCalls = new WeakMap<ToolCall, string>();

  /** The key of the tab that shows a call: that of its tool in its conversation, or its own. */
  keyOf(call: ToolCall, mode: TabMode): string {
    const { server, tool, origin } = call;
    const conversation = origin.kind === 'chat' ? origin.conversation : origin.kind;
    if (mode === 'perTool') return JSON.stringify([server.id, tool.name, conversation]);
    const key = this.ofCalls.get(call) ?? crypto.randomUUID();
    this.ofCalls.set(call, key);
    return key;
  }
}
