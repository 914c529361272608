import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import type { Platform } from '../../mcp/platform';
import { Command, View } from '../../ui/ids';
import type { Configuration } from '../configuration';
import { untilConfigured } from '../untilConfigured';
import { demoName, type DemoSource } from './demoSource';

/** Adds the demo server to this workspace, shows it and starts it, which asks as the start of any server does. */
export async function tryDemo(
  demo: DemoSource,
  configuration: Configuration,
  { programs }: Pick<Platform, 'programs'>,
): Promise<void> {
  if (!programs)
    throw new UserError(
      vscode.l10n.t(
        'The demo is a process, and this window cannot start any. Add a server with a URL.',
      ),
    );
  await demo.add();
  await vscode.commands.executeCommand(`${View.servers}.focus`);
  const id = await untilConfigured(
    configuration,
    demoName,
    ({ definition }) => definition.source.isIncluded === true,
  ).startedAs();
  if (id === undefined)
    throw new UserError(
      vscode.l10n.t('The demo server is disabled. Enable it with Enable Server.'),
    );
  await vscode.commands.executeCommand(Command.startServer, id);
}
