import * as vscode from 'vscode';
import { definitionProblem, isForModels } from '../contracts/modelDefinition';
import type { Tool } from '../mcp/protocol/types';

/** What a row says of a tool that models are not offered whatever the user wants; empty for others. */
export function toolNote(tool: Tool): string {
  if (!isForModels(tool)) return vscode.l10n.t('For apps only: not offered to models.');
  return definitionProblem(tool) === undefined
    ? ''
    : vscode.l10n.t('Too large or too deep to be offered to models.');
}
