import * as vscode from 'vscode';
import { Emitter } from '../base/event';
import type { Memento } from '../base/memento';
import type { Platform } from '../mcp/platform';
import type { ConfigLayer, ConfigPlace, ConfigSource } from './configLayer';
import { UserError } from '../base/errors';
import { shownPath } from '../base/uri/fileAddress';
import type { Configuration } from './configuration';
import type { ServerSwitches } from './switches/serverSwitches';
import { showAndStart } from './chooseConfigured';
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
  await switches.switchOn({ definition: { name: demoName }, layer: demo.place });
  await demo.add();
  const id = await showAndStart(
    action,
    configuration,
    demoName,
    ({ layer }) => layer.unwritten === 'demo',
  );
  if (id === undefined)
    throw new UserError(vscode.l10n.t('Your administrator does not allow the demo server.'));
}

const addedKey = 'demo.added';
/** The name of the demo server. */
export const demoName = 'MCP Workbench Demo';

/** The bundled demo server as a source of configuration, present only in workspaces that the user added it to. */
export interface DemoSource extends ConfigSource {
  readonly place: ConfigPlace;
  add(): Promise<void>;
  remove(): Promise<void>;
}

/** Creates the {@link DemoSource}; `extension` is the folder of this extension, `state` the state of the workspace. */
export function createDemoSource(
  { programs }: Pick<Platform, 'programs'>,
  extension: vscode.Uri,
  state: Memento,
): DemoSource {
  const changed = new Emitter<void>();
  const script = vscode.Uri.joinPath(extension, 'dist', 'demoServer.js');
  const place = { label: vscode.l10n.t('Comes with MCP Workbench'), uri: script.toString() };
  const put = async (isAdded: boolean) => {
    await state.update(addedKey, isAdded || undefined);
    changed.fire();
  };
  const read = (): readonly ConfigLayer[] => {
    if (!programs || state.get(addedKey) !== true) return [];
    const value = {
      ...programs.runtime,
      args: [shownPath(script)],
      // The script needs nothing that the user lets other servers inherit.
      inheritEnvironment: 'safe',
    };
    return [
      {
        scope: 'user',
        ...place,
        unwritten: 'demo',
        entries: [{ name: demoName, value }],
        inputs: undefined,
        problems: [],
      },
    ];
  };
  return {
    place,
    add: () => put(true),
    remove: () => put(false),
    read: () => Promise.resolve(read()),
    onDidChange: changed.event,
    dispose: () => changed.dispose(),
  };
}
