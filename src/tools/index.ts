import { DisposableStore, type Disposable } from '../base/disposable';
import type { Servers } from '../mcp/servers';
import type { RunTool } from '../mcp/toolCalls';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { TreeSection } from '../ui/tree';
import { Approvals } from './approvals';
import { confirmToolCall } from './confirmToolCall';
import { runToolCommand } from './runToolCommand';
import { createToolRunner } from './toolRunner';
import { toolSection } from './toolSection';

/** Tools in the tree and the palette, and the one gate that every call of a tool passes. */
export function register(deps: {
  readonly servers: Servers;
  readonly logs: Logs;
}): Disposable & { readonly section: TreeSection; readonly run: RunTool } {
  const store = new DisposableStore();
  const run = createToolRunner({
    approvals: new Approvals(),
    confirm: confirmToolCall,
    log: deps.logs.extension,
  });
  store.add(
    registerCommands(deps.logs, {
      [Command.runTool]: (row: unknown) => runToolCommand(deps.servers, run, row),
    }),
  );
  return { section: toolSection, run, dispose: () => store.dispose() };
}
