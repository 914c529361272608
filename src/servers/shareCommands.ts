import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import { installLinkOf } from '../config/share/installLink';
import type { Configuration } from '../config/configuration';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import { chooseConfigured } from '../config/chooseConfigured';
import type { UserAction } from '../ui/questions/question';

/** Registers *Copy Install Link*; it takes the row or the id of a server, or asks for one. */
export function registerShareCommands(deps: {
  readonly configuration: Configuration;
  readonly questions: Pick<Questions, 'ask'>;
  readonly logs: Logs;
}): Disposable {
  const { configuration, questions, logs } = deps;
  const { t } = vscode.l10n;
  return registerCommands(logs, {
    [Command.copyInstallLink]: async (action: UserAction, target?: unknown) => {
      const found = await chooseConfigured(target, configuration, t('Copy Install Link'), {
        action,
        questions,
      });
      if (!found) return;
      const { definition, reading } = found;
      const { name } = definition;
      const entry = reading.entries.find((one) => one.name === name);
      const link = installLinkOf(name, entry?.value, reading.inputs);
      const shown = plainLabel(name, 40);
      if (link === undefined)
        throw new UserError(
          t(
            '{0} cannot be shared as a link: it is too long or has hidden characters. Share its configuration instead.',
            shown,
          ),
        );
      await vscode.env.clipboard.writeText(link);
      vscode.window.setStatusBarMessage(t('Copied the install link of {0}', shown), 3000);
    },
  });
}
