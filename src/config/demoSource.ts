import * as vscode from 'vscode';
import { Emitter } from '../base/event';
import type { Memento } from '../base/memento';
import type { Platform } from '../mcp/platform';
import type { ConfigSource } from './configSource';
import type { ConfigLayer } from './configLayer';
import type { ConfigPlace } from './sourceKey';

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
      args: [script.fsPath],
      // The script needs nothing that the user lets other servers inherit.
      inheritEnvironment: 'safe',
    };
    return [
      {
        scope: 'user',
        ...place,
        isIncluded: true,
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
