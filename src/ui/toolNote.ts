import * as vscode from 'vscode';
import { definitionProblem } from '../contracts/modelDefinition';
import { appUriOf, isForModels } from '../contracts/toolApps';
import type { Tool } from '../mcp/protocol/types';
import { entryIcon } from './entryIcon';

/** Returns what a row says about a tool that has an app, or that is never offered to models; empty for others. */
export function toolNote(tool: Tool): string {
  if (!isForModels(tool)) return vscode.l10n.t('For apps only: not offered to models.');
  if (definitionProblem(tool) !== undefined)
    return vscode.l10n.t('Too large or too deep to be offered to models.');
  return appUriOf(tool) === undefined ? '' : vscode.l10n.t('Has an app.');
}

/** Returns the icon of a tool: its own image, or else a symbol, which is a different one if it has an app. */
export function toolIcon(tool: Tool): vscode.IconPath {
  const sign = appUriOf(tool) === undefined ? 'symbol-method' : 'window';
  return entryIcon(tool, new vscode.ThemeIcon(sign));
}
