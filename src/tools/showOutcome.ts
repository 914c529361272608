import * as vscode from 'vscode';
import { formatBytes, plainLabel } from '../base/text';
import { toParts, type Part } from '../mcp/content';
import { displayName, type CallToolResult } from '../mcp/protocol';
import type { ToolCall, ToolOutcome } from '../mcp/toolCalls';

/** Shows the person how a call of theirs ended: a result as a document, the rest as a message. */
export async function showOutcome(call: ToolCall, outcome: ToolOutcome): Promise<void> {
  const name = plainLabel(displayName(call.tool));
  switch (outcome.kind) {
    case 'result': {
      const content = resultText(outcome.result);
      const document = await vscode.workspace.openTextDocument({ content });
      await vscode.window.showTextDocument(document, { preview: true });
      return;
    }
    case 'failed':
      void vscode.window.showErrorMessage(
        vscode.l10n.t('{0} failed: {1}', name, plainLabel(outcome.message, 500)),
      );
      return;
    case 'denied':
      void vscode.window.showInformationMessage(vscode.l10n.t('{0} was not run: denied.', name));
      return;
    case 'cancelled':
      void vscode.window.showInformationMessage(vscode.l10n.t('{0} was cancelled.', name));
      return;
    case 'background':
  }
}

function resultText(result: CallToolResult): string {
  const parts = toParts(result.content).map(partText);
  if (result.structuredContent !== undefined)
    parts.push(JSON.stringify(result.structuredContent, undefined, 2));
  return parts.join('\n\n');
}

function partText(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'document':
      return `${part.uri}\n\n${part.text}`;
    case 'link':
      return `${part.title ?? part.name}: ${part.uri}`;
    case 'binary':
      return `[${part.mimeType}, ${formatBytes(part.bytes.length)}]`;
    case 'problem':
      return part.message;
  }
}
