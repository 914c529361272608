import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { Configuration, DisabledServer } from '../config/configuration';
import type { LocatedDefinition } from '../config/mergeLayers';
import type { ServerSwitches, SwitchedOff } from '../config/switches/serverSwitches';
import { isDisabledNode } from '../tree/unusedNodes';
import { isUsers, shownState } from '../tree/shownState';
import { registerCommands } from '../ui/commands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { namedServer, selectedNodes, selectedServers } from '../ui/tree';
import type { Questions } from '../ui/questions/questions';
import { namesOf } from '../ui/rows/labels';
import { type PickLook, showPick } from '../ui/rows/picks';
import { chooseConfigured, serverItem } from '../config/chooseConfigured';
import type { UserAction } from '../ui/questions/question';
import { configurationOf, installLinkOf } from '../config/share/shareable';
import { tellBriefly } from '../ui/messages';
import { pairText } from '../base/translate';
import { copyAddresses, copyJson } from '../ui/clipboard';

/**
 * Registers *Copy Install Link* and *Copy Configuration*; each takes the row or the id of a server, or asks for one.
 */
export function registerShareCommands(deps: {
  readonly configuration: Configuration;
  readonly questions: Pick<Questions, 'ask'>;
  readonly logs: Logs;
}): Disposable {
  const { configuration, questions, logs } = deps;
  const { t } = vscode.l10n;
  /** Makes a command that copies something of the entry of a server. */
  const onEntry =
    (title: string, copy: (name: string, value: unknown, inputs: unknown) => Promise<void>) =>
    async (action: UserAction, target?: unknown) => {
      const found = await chooseConfigured(target, configuration, title, { action, questions });
      if (!found) return;
      const { definition, layer } = found;
      const { name } = definition;
      const entry = layer.entries.find((one) => one.name === name);
      await copy(name, entry?.value, layer.inputs);
    };
  return registerCommands(logs, {
    [Command.copyConfiguration]: onEntry(t('Copy Configuration'), async (name, value, inputs) => {
      const text = configurationOf(name, value, inputs);
      const shown = plainLabel(name, 40);
      if (text === undefined) throw new UserError(t('The entry of {0} is not a server.', shown));
      await copyJson(text);
      tellBriefly(t('Copied the configuration of {0}, without its secrets', shown), 3000);
    }),
    [Command.copyInstallLink]: onEntry(t('Copy Install Link'), async (name, value, inputs) => {
      const link = installLinkOf(name, value, inputs);
      const shown = plainLabel(name, 40);
      if (link === undefined)
        throw new UserError(
          t(
            '{0} cannot be shared as a link: it is too long or has hidden characters. Share its configuration instead.',
            shown,
          ),
        );
      await copyAddresses(link);
      tellBriefly(t('Copied the install link of {0}', shown), 3000);
    }),
  });
}

const reaches = ['here', 'everywhere'] as const satisfies readonly SwitchedOff[];

/** Registers *Disable Server…* and *Enable Server…*; each takes the row or the id of a server, or asks for one. */
export function registerSwitchCommands(deps: {
  readonly configuration: Configuration;
  readonly switches: ServerSwitches;
  readonly questions: Pick<Questions, 'ask'>;
  readonly logs: Logs;
}): Disposable {
  const { configuration, switches, questions, logs } = deps;
  return registerCommands(logs, {
    [Command.disableServer]: async (action: UserAction, target?: unknown, second?: unknown) => {
      const title = vscode.l10n.t('Disable Server');
      const nodes = selectedServers(target, second);
      const chosen =
        nodes.length > 0
          ? nodes.map(({ server }) => configuration.get(server.id))
          : [
              await chooseConfigured(namedServer(target), configuration, title, {
                action,
                questions,
              }),
            ];
      const those = chosen.filter((server) => server !== undefined);
      if (those.length === 0) return;
      const where = reaches.find((one) => one === second) ?? (await chooseReach(action, those));
      // One after another: each is written into the same place.
      if (where) for (const server of those) await switches.switchOff(server, where);
    },
    [Command.enableServer]: async (action: UserAction, target?: unknown, selection?: unknown) => {
      await configuration.ready;
      const nodes = selectedNodes(target, selection).filter(isDisabledNode);
      if (nodes.length > 1) {
        const mine = nodes.filter(({ disabled }) => isUsers(disabled.why));
        for (const { disabled } of mine) await switches.switchOn(disabled.server);
        return;
      }
      const server = await chooseDisabled(action, target, configuration);
      if (server) await switches.switchOn(server);
    },
  });
}

async function chooseDisabled(
  action: UserAction,
  target: unknown,
  { current }: Configuration,
): Promise<LocatedDefinition | undefined> {
  if (isDisabledNode(target)) return target.disabled.server;
  const mine = current.disabled.filter(({ why }) => isUsers(why));
  const named = mine.find(({ server }) => server.definition.id === target);
  if (named) return named.server;
  if (mine.length === 0) throw new UserError(noneOff(current.disabled));
  const items = mine.map(({ server, why }) => serverItem(server, shownState(why).label));
  const title = vscode.l10n.t('Enable Server');
  return (await showPick(action, items, { title }))?.server;
}

function noneOff(disabled: readonly DisabledServer[]): string {
  const [first] = disabled;
  return first
    ? pairText(plainLabel(first.server.definition.name), shownState(first.why).label, vscode.l10n.t)
    : vscode.l10n.t('No server is disabled.');
}

async function chooseReach(
  action: UserAction,
  those: readonly LocatedDefinition[],
): Promise<SwitchedOff | undefined> {
  const items: (PickLook & { readonly where: SwitchedOff })[] = [
    { label: vscode.l10n.t('In This Workspace'), where: 'here' },
    { label: vscode.l10n.t('In All Workspaces'), where: 'everywhere' },
  ];
  const names = namesOf(those.map(({ definition }) => definition));
  const title = vscode.l10n.t('Disable {0}', names);
  const placeHolder = vscode.l10n.t('It stops, and is offered nowhere until you enable it again.');
  return (await showPick(action, items, { title, placeHolder }))?.where;
}
