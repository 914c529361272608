import * as vscode from 'vscode';
import { boundJson } from '../../base/boundJson';
import { inlineCode } from '../../base/text/markdown';
import { jsonText } from '../../base/text/jsonText';
import { formatBytes } from '../../base/text/text';
import { toParts, type Part } from '../../mcp/protocol/content';
import type { CallToolResult, JsonObject } from '../../mcp/protocol/types';

const maxLength = 300;
const bounds = { maxString: 100, maxBytes: 1000 };

/** The arguments of a call in one line of Markdown, hidden characters shown. */
export function shortArguments(args: JsonObject): string {
  return inlineCode(jsonText(boundJson(args, bounds)), maxLength);
}

/** What a result says first, in one line of Markdown; empty where it says nothing. */
export function shortResult({ content, structuredContent }: CallToolResult): string {
  const parts = toParts(content);
  const text = parts.find((part) => part.kind === 'text' && part.text.trim() !== '');
  if (text?.kind === 'text') return inlineCode(text.text, maxLength);
  if (structuredContent !== undefined)
    return inlineCode(jsonText(boundJson(structuredContent, bounds)), maxLength);
  return parts.slice(0, 3).map(partLabel).join(', ');
}

function partLabel(part: Part): string {
  const { t } = vscode.l10n;
  switch (part.kind) {
    case 'binary':
      return inlineCode(`${part.mimeType}, ${formatBytes(part.bytes.length)}`, 100);
    case 'document':
    case 'link':
      return inlineCode(part.uri, 200);
    case 'text':
      return t('an empty text');
    case 'problem':
      return inlineCode(part.message, 200);
  }
}
