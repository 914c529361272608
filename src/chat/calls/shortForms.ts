import * as vscode from 'vscode';
import { shortJson } from '../../base/boundJson';
import type { ChatPiece } from '../../base/text/markdown';
import { formatBytes } from '../../base/text/text';
import { toParts, type Part } from '../../mcp/protocol/content';
import type { CallToolResult, JsonObject } from '../../mcp/protocol/types';

const maxLength = 300;

/** Returns the arguments of a call in one line. */
export function shortArguments(args: JsonObject): ChatPiece {
  return { code: shortJson(args), maxLength };
}

/** Returns how a result begins, in one line; empty if the result is empty. */
export function shortResult({ content, structuredContent }: CallToolResult): readonly ChatPiece[] {
  const parts = toParts(content);
  const text = parts.find((part) => part.kind === 'text' && part.text.trim() !== '');
  if (text?.kind === 'text') return [{ code: text.text, maxLength }];
  if (structuredContent !== undefined) return [{ code: shortJson(structuredContent), maxLength }];
  return parts.slice(0, 3).map(partLabel);
}

function partLabel(part: Part): ChatPiece {
  const { t } = vscode.l10n;
  switch (part.kind) {
    case 'binary':
      return { code: `${part.mimeType}, ${formatBytes(part.bytes.length)}`, maxLength: 100 };
    case 'document':
    case 'link':
      return { code: part.uri, maxLength: 200 };
    case 'text':
      return t('empty text');
    case 'problem':
      return { code: part.message(vscode.l10n.t), maxLength: 200 };
  }
}
