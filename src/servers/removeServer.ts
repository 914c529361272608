import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import { inputsIn } from '../config/add/importedServer';
import { chooseConfigured } from '../config/chooseConfigured';
import type { Configuration } from '../config/configuration';
import type { LocatedDefinition } from '../config/mergeReadings';
import { removeEntry } from '../config/places/writeEntry';
import type { Reading } from '../config/reading';
import { isDisabledNode } from '../tree/disabledNode';
import { isProblemNode } from '../tree/problemNode';
import { isRepeatNode } from '../tree/repeatNode';
import { registerCommands } from '../ui/commands';
import type { WorkspaceWriter } from '../ui/files/workspaceWriter';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { pickItem } from '../ui/steps/pickItem';

/** Registers *Remove Server…*, which takes the row or the id of a server, or asks for one. */
export function registerRemoveCommand(deps: {
  readonly configuration: Configuration;
  readonly questions: Pick<Questions, 'ask'>;
  readonly logs: Logs;
  readonly writer: WorkspaceWriter;
}): Disposable {
  const { configuration, questions, logs } = deps;
  const { t } = vscode.l10n;
  return registerCommands(logs, {
    [Command.removeServer]: async (target?: unknown) => {
      const choose = () =>
        chooseConfigured(target, configuration, t('Remove Server'), questions, (current) => {
          const unused = [...current.disabled, ...current.repeats].map(({ server }) => server);
          return [...current.servers, ...unused];
        });
      const entry = entryOf(target) ?? entryOfServer(await choose());
      if (!entry) return;
      const { id, name, reading } = entry;
      if (reading.isIncluded) return vscode.commands.executeCommand(Command.removeDemo);
      const shown = plainLabel(name, 60);
      const title = t('Remove {0} from {1}?', shown, plainLabel(reading.label, 80));
      const own = { server: { id, name }, what: t('remove {0}', shown) };
      const row = await askOwn(questions, own, (stage) =>
        pickItem({
          frame: { title, actions: [], stage },
          items: [
            {
              label: t('Keep'),
              iconPath: new vscode.ThemeIcon('circle-slash'),
              isYes: false,
              grantsNothing: true,
            },
            {
              label: t('Remove'),
              ...(inputsIn(reading.entries.find((one) => one.name === name)?.value).length > 0 && {
                description: t('its inputs stay stored until you clear them'),
              }),
              iconPath: new vscode.ThemeIcon('trash'),
              isYes: true,
            },
          ],
        }),
      );
      if (typeof row === 'object' && row.isYes) await removeEntry(reading, name, deps.writer);
      return undefined;
    },
  });
}

/** What a place has under a name, whether it can be used or not. */
interface Entry {
  readonly id: string;
  readonly name: string;
  readonly reading: Reading;
}

/** Returns the entry behind the row of something that is not a server in use; `undefined` for any other row. */
function entryOf(target: unknown): Entry | undefined {
  if (isDisabledNode(target)) return entryOfServer(target.disabled.server);
  if (isRepeatNode(target)) return entryOfServer(target.repeat.server);
  if (!isProblemNode(target)) return undefined;
  const { id, entryName, reading } = target.problem;
  return entryName === undefined ? undefined : { id, name: entryName, reading };
}

function entryOfServer(server: LocatedDefinition | undefined): Entry | undefined {
  return (
    server && { id: server.definition.id, name: server.definition.name, reading: server.reading }
  );
}
