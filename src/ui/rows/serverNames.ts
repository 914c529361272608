import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { listText } from '../../base/translate';
import { UserError } from '../../base/errors';

/** Makes the error of a command that has no server to choose from; `unused` counts those configured but not used. */
export function noServers(unused: number): UserError {
  return new UserError(
    unused > 0
      ? vscode.l10n.t('All MCP servers are disabled. Enable one with Enable Server.')
      : vscode.l10n.t('No MCP server is configured yet.'),
  );
}

const maxNames = 10;

/** Returns the names of servers in one line, of many only the first. */
export function namesOf(servers: readonly { readonly name: string }[]): string {
  const names = servers.slice(0, maxNames).map(({ name }) => plainLabel(name, 60));
  const rest = servers.length - names.length;
  const shown = listText(names, vscode.l10n.t);
  return rest > 0 ? vscode.l10n.t('{0} and {1} more', shown, rest) : shown;
}
