import * as vscode from 'vscode';
import { signalOf } from '../../base/async';
import { asRecord } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import type { Json, JsonObject } from '../../mcp/protocol/types';
import type { ContentPart } from '../../contracts/modelMessages';
import { type ChatTools, type ModelCallResult, readChatLimits } from '../offer/chatTools';
import { foundToolsForModel, toolResultForModel } from '../participant/toolLoop';
import type { CutTexts } from '../content/cutTexts';
import { offerTool } from '../../ui/editorChat';
import { toModelContent } from '../../ui/toModelMessages';

/** The names of our tools among those of the editor, as the manifest declares them. */
export const editorToolNames = {
  find: 'mcpWorkbench_findTools',
  call: 'mcpWorkbench_callTool',
  read: 'mcpWorkbench_readResource',
} as const;

/**
 * Registers the three tools through which other chats of the editor reach all servers; `onCalled` is called after
 * each tool call.
 */
export function registerEditorTools(
  chatTools: ChatTools,
  cutTexts: CutTexts,
  onCalled: () => void,
): vscode.Disposable {
  const origin = { kind: 'editor' } as const;
  const limit = () => readChatLimits().maxResultLength;
  const told = (called: ModelCallResult) => toolResultForModel(called, cutTexts, limit()).parts;
  return vscode.Disposable.from(
    register(
      editorToolNames.find,
      ({ query }) => vscode.l10n.t('Searching MCP tools for {0}', textOf(query)),
      (input) => Promise.resolve(foundToolsForModel(chatTools.find(input), cutTexts, limit())),
    ),
    register(
      editorToolNames.call,
      ({ name }) => vscode.l10n.t('Calling the MCP tool {0}', textOf(name)),
      async ({ name, arguments: args }, signal) => {
        const called = await chatTools.call(textOf(name), argumentsOf(args), origin, { signal });
        onCalled();
        return told(called);
      },
    ),
    register(
      editorToolNames.read,
      ({ uri }) => vscode.l10n.t('Reading the MCP resource {0}', textOf(uri)),
      async (input, signal) => told(await chatTools.read(input, origin, { signal })),
    ),
  );
}

function register(
  name: string,
  message: (input: JsonObject) => string,
  run: (input: JsonObject, signal: AbortSignal) => Promise<readonly ContentPart[]>,
): vscode.Disposable {
  return offerTool<JsonObject>(name, {
    prepareInvocation: ({ input }) => ({ invocationMessage: plainLabel(message(input)) }),
    async invoke({ input }, token) {
      const parts = await run(input, signalOf(token));
      return new vscode.LanguageModelToolResult(parts.map(toModelContent));
    },
  });
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function argumentsOf(value: unknown): JsonObject {
  return asRecord(value) as JsonObject;
}
