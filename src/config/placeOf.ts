import * as vscode from 'vscode';
import type { Reading } from './reading';

/** What tells one place of configuration from all others. */
export type Place = Pick<Reading, 'scope' | 'label' | 'uri'>;

/** The place for people and as a key: its label and, where other workspaces have the same label, its address. */
export function placeOf({ scope, label, uri }: Place): string {
  return [label, uri ?? (scope === 'user' ? undefined : workspaceAddress())]
    .filter(Boolean)
    .join('\n');
}

function workspaceAddress(): string | undefined {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  return (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString();
}
