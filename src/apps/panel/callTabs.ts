import { appUriOf } from '../../contracts/toolApps';
import type { ToolCall } from '../../contracts/toolCalls';

/** When apps open (`mcpWorkbench.apps.open`), and which tab shows a call (`mcpWorkbench.apps.tabs`). */
export type OpenMode = 'ask' | 'always' | 'never';
export type TabMode = 'perTool' | 'perCall';

/** True if the app of a call opens unasked: for the user's own calls, or in mode `always` for all but those of apps. */
export function opensAtOnce({ origin, tool }: ToolCall, mode: OpenMode): boolean {
  if (origin.kind === 'app' || appUriOf(tool) === undefined) return false;
  return mode === 'always' || (mode === 'ask' && origin.kind === 'user');
}

/** Assigns each call the key of its tab. */
export class TabKeys {
  private readonly ofCalls = new WeakMap<ToolCall, string>();

  /** Returns the key of the tab that shows a call: one per tool and conversation, or one per call. */
  keyOf(call: ToolCall, mode: TabMode): string {
    const { server, tool, origin } = call;
    const conversation = origin.kind === 'chat' ? origin.conversation : origin.kind;
    if (mode === 'perTool') return JSON.stringify([server.id, tool.name, conversation]);
    const key = this.ofCalls.get(call) ?? crypto.randomUUID();
    this.ofCalls.set(call, key);
    return key;
  }
}
