import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { lineOf } from './addServers';
import type { ImportedServer } from './importedServer';
import { readCopied, readSnippet, serverOfPackage } from './snippet';

interface Way extends vscode.QuickPickItem {
  ask(): Promise<readonly ImportedServer[] | undefined>;
}

/** Asks for a server in one of several ways; undefined when the person left. */
export async function askServer(): Promise<readonly ImportedServer[] | undefined> {
  const ways: Way[] = [
    {
      label: vscode.l10n.t('$(clippy) From the Clipboard'),
      description: vscode.l10n.t('the part of a README that configures a server'),
      // It may hold anything, a password too, so it is read only once this is chosen.
      ask: async () => readCopied((await vscode.env.clipboard.readText()).slice(0, 100_000)),
    },
    {
      label: vscode.l10n.t('$(terminal) Command…'),
      description: vscode.l10n.t('a program on this machine'),
      ask: () => askText(vscode.l10n.t('The command line of the server'), 'node server.js'),
    },
    {
      label: vscode.l10n.t('$(globe) URL…'),
      description: vscode.l10n.t('a server reached over HTTP'),
      ask: () => askText(vscode.l10n.t('The address of the server'), 'https://example.com/mcp'),
    },
    {
      label: vscode.l10n.t('$(package) npm Package…'),
      description: vscode.l10n.t('run by npx'),
      ask: async () => {
        const name = await askLine(vscode.l10n.t('The name of the package'), '@scope/name@1.0.0');
        return name === undefined ? undefined : [serverOfPackage(name)];
      },
    },
  ];
  const way = await vscode.window.showQuickPick(ways, { title: vscode.l10n.t('Add Server') });
  const found = await way?.ask();
  if (found?.length === 0)
    throw new UserError(
      vscode.l10n.t(
        'The clipboard holds no server. Copy JSON with "mcpServers" or "servers", a URL or a command line.',
      ),
    );
  const [only] = found ?? [];
  return found?.length === 1 && only ? askName(only) : found;
}

async function askText(
  prompt: string,
  example: string,
): Promise<readonly ImportedServer[] | undefined> {
  const text = await askLine(prompt, example);
  return text === undefined ? undefined : readSnippet(text);
}

function askLine(prompt: string, example: string): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: vscode.l10n.t('Add Server'),
    prompt,
    placeHolder: example,
    ignoreFocusOut: true,
    validateInput: (text) =>
      readSnippet(text).length > 0 ? undefined : vscode.l10n.t('For example: {0}', example),
  });
}

async function askName(found: ImportedServer): Promise<readonly ImportedServer[] | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add Server'),
    prompt: vscode.l10n.t('The name of the server that runs: {0}', plainLabel(lineOf(found), 200)),
    value: found.name,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() ? undefined : vscode.l10n.t('A server needs a name.')),
  });
  return name === undefined ? undefined : [{ ...found, name: name.trim() }];
}
