import * as vscode from 'vscode';
import { UserError } from '../../base/errors';

/** Makes the error of a command that has no server to choose from; `unused` counts those configured but not used. */
export function noServers(unused: number): UserError {
  return new UserError(
    unused > 0
      ? vscode.l10n.t('All MCP servers are disabled. Enable one with Enable Server.')
      : vscode.l10n.t('No MCP server is configured yet.'),
  );
}
