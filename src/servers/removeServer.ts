import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import { chooseConfigured } from '../config/chooseConfigured';
import type { Configuration } from '../config/configuration';
import { removeEntry } from '../config/places/writeEntry';
import { isDisabledNode } from '../tree/disabledNode';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { askOwn } from '../ui/questions/askOwn';
import type { Questions } from '../ui/questions/questions';
import { pickRow } from '../ui/steps/pickRows';

/** Registers *Remove Server…*, which takes the row or the id of a server, or asks for one. */
export function registerRemoveCommand(deps: {
  readonly configuration: Configuration;
  readonly questions: Pick<Questions, 'ask'>;
  readonly logs: Logs;
}): Disposable {
  const { configuration, questions, logs } = deps;
  const { t } = vscode.l10n;
  return registerCommands(logs, {
    [Command.removeServer]: async (target?: unknown) => {
      await configuration.ready;
      const found = isDisabledNode(target)
        ? target.disabled.server
        : await chooseConfigured(target, configuration, t('Remove Server'));
      if (!found) return;
      const { definition, reading } = found;
      if (reading.isIncluded) return vscode.commands.executeCommand(Command.removeDemo);
      const name = plainLabel(definition.name, 60);
      const title = t('Remove {0} from {1}?', name, plainLabel(reading.label, 80));
      const own = { server: definition, what: t('remove {0}', name) };
      const row = await askOwn(questions, own, (stage) =>
        pickRow({
          frame: { title, actions: [], stage },
          items: [
            {
              label: t('Remove'),
              description: t('its stored inputs stay until you clear them'),
              iconPath: new vscode.ThemeIcon('trash'),
              isYes: true,
            },
            { label: t('Keep'), iconPath: new vscode.ThemeIcon('circle-slash'), isYes: false },
          ],
        }),
      );
      if (row?.isYes) await removeEntry(reading, definition.name);
      return undefined;
    },
  });
}
