import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import { inputsIn } from '../config/add/importedServer';
import { chooseConfigured } from '../config/chooseConfigured';
import type { Configuration } from '../config/configuration';
import type { LocatedDefinition } from '../config/mergeLayers';
import type { Server, Servers } from '../mcp/server';
import { removeEntry } from '../config/places/writeEntry';
import type { ConfigLayer } from '../config/configLayer';
import { isDisabledNode, isProblemNode, isDuplicateNode } from '../tree/unusedNodes';
import { registerCommands, runCommand } from '../ui/commands';
import { namesOf } from '../ui/rows/labels';
import { isServerNode, namedServer, selectedNodes } from '../ui/tree';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { pickItem } from '../ui/steps/pickItem';
import type { UserAction } from '../ui/questions/question';

interface RemoveDeps {
  readonly configuration: Configuration;
  readonly servers: Pick<Servers, 'get' | 'unlisted'>;
  readonly questions: Pick<Questions, 'ask'>;
  readonly logs: Logs;
  readonly writer: WorkspaceWriter;
  /** Removes what is kept of a server that could not be used. */
  readonly forget: (serverId: string) => Promise<void>;
}

/** Registers *Remove Server…*, which takes rows or the id of a server, or asks for one. */
export function registerRemoveCommand(deps: RemoveDeps): Disposable {
  const { configuration, questions, logs, forget } = deps;
  const { t } = vscode.l10n;
  return registerCommands(logs, {
    [Command.removeServer]: async (action: UserAction, target?: unknown, selection?: unknown) => {
      const asker = { action, questions };
      const choose = () =>
        chooseConfigured(
          namedServer(target),
          configuration,
          t('Remove Server'),
          asker,
          (current) => {
            const unused = [...current.disabled, ...current.duplicates].map(({ server }) => server);
            return [...current.servers, ...unused];
          },
        );
      const selected = selectedNodes(target, selection)
        .flatMap(
          (node) =>
            entryOf(node) ??
            entryOfServer(isServerNode(node) ? configuration.get(node.server.id) : undefined) ??
            [],
        )
        .filter(({ layer }) => layer.unwritten === undefined);
      const one =
        selected.length > 1 ? undefined : (entryOf(target) ?? entryOfServer(await choose()));
      const unwritten = one && serverOf(one, deps);
      if (one && (await removeUnwritten(action, one))) return unwritten?.signOut();
      const entries = one ? [one] : selected;
      const [first] = entries;
      if (!first) return undefined;
      const shown = one ? plainLabel(one.name, 60) : namesOf(entries);
      const title = one
        ? t('Remove {0} from {1}?', shown, plainLabel(one.layer.label, 80))
        : t('Remove {0} servers: {1}?', entries.length, shown);
      const own = {
        server: { id: first.id, name: first.name },
        what: t('remove {0}', shown),
        asked: action,
      };
      const row = await askOwn(questions, own, (context) =>
        pickItem({
          frame: { title, actions: [], context },
          items: [
            {
              label: t('Keep'),
              iconPath: new vscode.ThemeIcon('circle-slash'),
              isYes: false,
              grantsNothing: true,
            },
            {
              label: t('Remove'),
              ...(entries.some(hasInputs) && {
                description: t('its inputs stay stored until you clear them'),
              }),
              iconPath: new vscode.ThemeIcon('trash'),
              isYes: true,
            },
          ],
        }),
      );
      if (typeof row !== 'object' || !row.isYes) return undefined;
      // One after another: several may be in one file.
      for (const entry of entries) {
        const server = serverOf(entry, deps);
        const isOther = !server && configuration.get(entry.id) !== undefined;
        await removeEntry(entry.layer, entry.name, deps.writer);
        if (server) await server.signOut();
        // What cannot be used may have been of use before; what another place has under that id stays.
        else if (!isOther) await forget(entry.id);
      }
      return undefined;
    },
  });
}

/** Returns the server of an entry, also one that is switched off, if no other one has its id. */
function serverOf(
  { id, layer }: Entry,
  { configuration, servers }: Pick<RemoveDeps, 'configuration' | 'servers'>,
): Pick<Server, 'signOut'> | undefined {
  if (configuration.get(id)?.layer === layer) return servers.get(id);
  const off = configuration.current.disabled.find(
    ({ server }) => server.definition.id === id && server.layer === layer,
  );
  return off && servers.unlisted(off.server.definition);
}

/** Removes a server that no file has an entry of; resolves with false if it is no such server. */
async function removeUnwritten(action: UserAction, { id, layer }: Entry): Promise<boolean> {
  const { unwritten } = layer;
  if (unwritten === 'demo') await runCommand(action, Command.removeDemo);
  if (unwritten === 'recording') await runCommand(action, Command.removeRecording, id);
  return unwritten !== undefined;
}

/** What a place has under a name, whether it can be used or not. */
interface Entry {
  readonly id: string;
  readonly name: string;
  readonly layer: ConfigLayer;
}

function hasInputs({ name, layer }: Entry): boolean {
  return inputsIn(layer.entries.find((one) => one.name === name)?.value).length > 0;
}

/** Returns the entry behind the row of something that is not a server in use; `undefined` for any other row. */
function entryOf(target: unknown): Entry | undefined {
  if (isDisabledNode(target)) return entryOfServer(target.disabled.server);
  if (isDuplicateNode(target)) return entryOfServer(target.duplicate.server);
  if (!isProblemNode(target)) return undefined;
  const { id, entryName, layer } = target.problem;
  return entryName === undefined ? undefined : { id, name: entryName, layer };
}

function entryOfServer(server: LocatedDefinition | undefined): Entry | undefined {
  return server && { id: server.definition.id, name: server.definition.name, layer: server.layer };
}
