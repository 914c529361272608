import * as vscode from 'vscode';
import { showView } from '../ui/keyboard';
import { UserError } from '../base/errors';
import type { Platform } from '../mcp/platform';
import { Command, View } from '../ui/ids';
import type { Configuration } from './configuration';
import type { ServerSwitches } from './switches/serverSwitches';
import { untilConfigured } from './untilConfigured';
import { demoName, type DemoSource } from './demoSource';
import type { UserAction } from '../ui/questions/question';

/** Adds the demo server to this workspace, shows it and starts it, which asks the same questions as for any server. */
export async function tryDemo(
  action: UserAction,
  parts: {
    readonly demo: DemoSource;
    readonly configuration: Configuration;
    readonly switches: Pick<ServerSwitches, 'switchOn'>;
    readonly platform: Pick<Platform, 'programs'>;
  },
): Promise<void> {
  const { demo, configuration, switches, platform } = parts;
  if (!platform.programs)
    throw new UserError(
      vscode.l10n.t(
        'The demo is a process, and this window cannot start any. Add a server with a URL.',
      ),
    );
  // It may have been switched off before it was removed.
  await switches.switchOn({ definition: { name: demoName }, reading: demo.place });
  await demo.add();
  await showView(View.servers, action);
  const id = await untilConfigured(
    configuration,
    demoName,
    ({ definition }) => definition.source.isIncluded === true,
  ).startedAs();
  if (id === undefined)
    throw new UserError(vscode.l10n.t('Your administrator does not allow the demo server.'));
  await vscode.commands.executeCommand(Command.startServer, id);
}
