import * as vscode from 'vscode';
import type { KeyClock } from './stage';

/** For how long keys decide nothing after a question came up: they were meant for something else. */
const quietMs = 700;

/** Set to `1` in windows that develop or test the extension, keys count at once. */
const noQuietVariable = 'MCP_WORKBENCH_NO_QUIET';

/** The clock of this window's questions. */
export function readKeyClock({
  extensionMode,
}: Pick<vscode.ExtensionContext, 'extensionMode'>): KeyClock {
  const isProduct = extensionMode === vscode.ExtensionMode.Production;
  const isQuiet = isProduct || process.env[noQuietVariable] !== '1';
  return { now: Date.now, quietMs: isQuiet ? quietMs : 0 };
}
