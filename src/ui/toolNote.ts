import * as vscode from 'vscode';
import { definitionProblem } from '../contracts/modelDefinition';
import type { Tool } from '../mcp/protocol/types';

/** What a row says of a tool that models are not offered whatever the person wants; empty for others. */
export function toolNote(tool: Tool): string {
  return definitionProblem(tool) === undefined
    ? ''
    : vscode.l10n.t('Too large or too deep to be offered to models.');
}
