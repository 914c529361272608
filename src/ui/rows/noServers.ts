import * as vscode from 'vscode';
import { UserError } from '../../base/errors';

/** What a command says that has no server to choose from, `unused` of them being configured and not used. */
export function noServers(unused: number): UserError {
  return new UserError(
    unused > 0
      ? vscode.l10n.t('All MCP servers are disabled. Enable one with Enable Server.')
      : vscode.l10n.t('No MCP server is configured yet.'),
  );
}
