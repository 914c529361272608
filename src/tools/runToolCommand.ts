import * as vscode from 'vscode';
import { plainLabel } from '../base/text';
import { displayName, type JsonObject, type Tool } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import type { RunTool } from '../mcp/toolCalls';
import { showOutcome } from './showOutcome';
import { isToolNode } from './toolSection';

/** Runs a tool that the person picks, or the one of a tree row, and shows what came of it. */
export async function runToolCommand(servers: Servers, run: RunTool, row: unknown): Promise<void> {
  const picked = isToolNode(row) ? row : await pickTool(servers);
  if (!picked) return;
  const args = await askArguments(picked.tool);
  if (!args) return;
  const call = { ...picked, arguments: args, origin: { kind: 'person' } } as const;
  const title = vscode.l10n.t('Running {0}', plainLabel(displayName(picked.tool)));
  const outcome = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return run(call, { signal: controller.signal });
    },
  );
  await showOutcome(call, outcome);
}

async function pickTool(
  servers: Servers,
): Promise<{ readonly server: Server; readonly tool: Tool } | undefined> {
  const items = servers.all.flatMap((server) =>
    server.tools.items.map((tool) => ({
      label: plainLabel(displayName(tool)),
      description: plainLabel(server.name),
      detail: plainLabel(tool.description ?? ''),
      server,
      tool,
    })),
  );
  return await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Run Tool'),
    placeHolder: vscode.l10n.t('Pick a tool to run'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
}

async function askArguments(tool: Tool): Promise<JsonObject | undefined> {
  const properties = tool.inputSchema['properties'];
  if (typeof properties !== 'object' || properties === null || Object.keys(properties).length === 0)
    return {};
  const text = await vscode.window.showInputBox({
    title: plainLabel(displayName(tool)),
    prompt: vscode.l10n.t('Arguments as a JSON object'),
    value: '{}',
    ignoreFocusOut: true,
    validateInput: (value) =>
      parseObject(value) ? undefined : vscode.l10n.t('This is not a JSON object.'),
  });
  return text === undefined ? undefined : parseObject(text);
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}
