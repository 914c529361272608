import * as vscode from 'vscode';
import { once } from '../../base/event';
import { plainLabel } from '../../base/text/text';
import { parseServerConfig } from '../../mcp/serverConfig';
import { Command } from '../../ui/ids';
import type { Configuration } from '../configuration';
import type { ImportedServer } from './importedServer';
import type { Inputs } from '../launch/inputs';
import { launchLine } from '../launch/launch';
import { takeSecrets } from './plainSecrets';
import { writableTargets, writeServers, type Target } from './writeServers';

/** The longest that a written file may take to be read again. */
const readMs = 10_000;

/** The line of a found server that says what would run. */
export function lineOf({ server }: ImportedServer): string {
  const parsed = parseServerConfig(server);
  return 'config' in parsed ? plainLabel(launchLine(parsed.config), 500) : parsed.problem;
}

/** Asks where to and adds servers there, plain-text secrets moved away if the person says so. */
export async function addServers(
  found: readonly ImportedServer[],
  configuration: Configuration,
  inputs: Inputs,
): Promise<void> {
  const target = await askTarget(found);
  if (!target) return;
  const named = withFreeNames(found, configuration);
  const cleaned = named.map((one) => ({ ...one, ...takeSecrets(one) }));
  const secrets = cleaned.flatMap((one) => one.secrets);
  const move = secrets.length > 0 && (await askMove(secrets.map(({ name }) => name)));
  if (move === undefined) return;
  const brought = found.flatMap((one) => one.inputs ?? []);
  if (move) {
    for (const { inputId, value } of secrets) await inputs.store(target, inputId, value);
    const added = secrets.map(({ inputId, name }) => {
      return { id: inputId, type: 'promptString', description: name, password: true };
    });
    await writeServers(target, cleaned, [...brought, ...added]);
  } else await writeServers(target, named, brought);
  await offerStart(named, configuration);
}

async function askTarget(found: readonly ImportedServer[]): Promise<Target | undefined> {
  const items = writableTargets().map((target) => ({ label: plainLabel(target.label), target }));
  const names = found.map(({ name }) => plainLabel(name, 40)).join(', ');
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Where shall {0} be configured?', names),
    placeHolder: found.map(lineOf).join(' · '),
    ignoreFocusOut: true,
  });
  return picked?.target;
}

async function askMove(names: readonly string[]): Promise<boolean | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: vscode.l10n.t('Move to the Secret Storage'),
        description: vscode.l10n.t('an input takes their place'),
        move: true,
      },
      {
        label: vscode.l10n.t('Write Into the File'),
        description: vscode.l10n.t('readable for everybody who reads the file'),
        move: false,
      },
    ],
    {
      title: vscode.l10n.t(
        'These values look like secrets: {0}',
        names.map((n) => plainLabel(n)).join(', '),
      ),
      ignoreFocusOut: true,
    },
  );
  return picked?.move;
}

function withFreeNames(
  found: readonly ImportedServer[],
  { current }: Configuration,
): ImportedServer[] {
  const taken = new Set(current.servers.map(({ definition }) => definition.name));
  return found.map(({ name, server }) => {
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name}-${count}`;
    taken.add(free);
    return { name: free, server };
  });
}

async function offerStart(
  added: readonly ImportedServer[],
  configuration: Configuration,
): Promise<void> {
  const start = vscode.l10n.t('Start');
  const names = added.map(({ name }) => plainLabel(name, 40)).join(', ');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t('Added: {0}', names),
    start,
  );
  if (choice !== start) return;
  for (const { name } of added) {
    const id = await idOf(name, configuration);
    await vscode.commands.executeCommand(Command.startServer, id);
  }
}

/** The id of a server that was just written, once the configuration was read again. */
async function idOf(name: string, configuration: Configuration): Promise<string> {
  const find = () =>
    configuration.current.servers.find(({ definition }) => definition.name === name);
  if (!find())
    await once(configuration.onDidChange, () => find() !== undefined, AbortSignal.timeout(readMs));
  return find()?.definition.id ?? name;
}
