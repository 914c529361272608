import * as vscode from 'vscode';
import type { Environment } from '../../../mcp/platform';
import { whenEditorCaughtUp } from '../../editorCommands';
import type { KeyClock } from '../question';
import { promptKeys } from './typing';

/** How long keys decide nothing after a question comes up: they were meant for something else. */
const quietMs = 700;

/** The same after a document gets the keyboard, in which the user may go on typing. */
const documentQuietMs = 1000;

/** The environment variable by which keys count at once: `1` in windows that develop or test the extension. */
const noQuietVariable = 'MCP_WORKBENCH_NO_QUIET';

/** Returns the clocks for this window's questions, and for its documents that wait for an answer. */
export function readKeyClocks(
  { extensionMode }: Pick<vscode.ExtensionContext, 'extensionMode'>,
  env: Environment,
): { readonly questions: KeyClock; readonly documents: KeyClock } {
  const isProduct = extensionMode === vscode.ExtensionMode.Production;
  const isQuiet = isProduct || env[noQuietVariable] !== '1';
  if (!isQuiet) return { questions: promptKeys, documents: promptKeys };
  const clock = (quiet: number): KeyClock => ({
    now: Date.now,
    quietMs: quiet,
    whenDrawn: whenEditorCaughtUp,
  });
  return { questions: clock(quietMs), documents: clock(documentQuietMs) };
}
