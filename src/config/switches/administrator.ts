import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { canonicalJson } from '../../base/json';
import { Setting } from '../../ui/ids';
import { cachedReading, readSetting } from '../../ui/settings/readSetting';
import {
  type RuledServer,
  accessSetting,
  refusingRule,
  registrySetting,
  serverLists,
} from './serverRules';
import { Timer } from '../../base/async';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Switches } from '../configuration';
import type { ServerSwitches } from './serverSwitches';

/** How long the editor may take to tell one window what another one stored, in milliseconds. */
const spreadMs = 6000;

/** Makes the switches that keep servers off besides their own entries: the administrator's rules, then the user's switches. */
export function createSwitches(user: ServerSwitches): Switches & Disposable {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  store.add(user.onDidChange(() => changed.fire()));
  const later = store.add(new Timer(() => user.lookAgain()));
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (!focused) return;
      user.lookAgain();
      later.start(spreadMs);
    }),
  );
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (affectsAdministrator(event)) changed.fire();
    }),
  );
  return {
    states: () => {
      const ruleOf = readAdministrator();
      const stateOf = user.states();
      return (server) => {
        const rule = ruleOf(server.definition);
        if (rule !== undefined) return { kind: 'forbidden', rule };
        const by = stateOf(server);
        return by && { kind: 'disabled', by };
      };
    },
    onDidChange: changed.event,
    dispose: () => store.dispose(),
  };
}

/** Reads what an administrator has decided; returns a function that gives the rule that keeps a server off, if any. */
export function readAdministrator(): (server: RuledServer) => string | undefined {
  const access = managedValue(accessSetting);
  if (access !== undefined && access !== 'all') return () => accessSetting;
  const allowed = managedValue(serverLists.allowed);
  const denied = managedValue(serverLists.denied);
  return (server) => refusingRule({ allowed, denied }, server);
}

/** Says which administrator's rule keeps something off. */
export function administratorText(rule: string): string {
  return vscode.l10n.t('Disabled by your administrator ({0})', plainLabel(rule, 120));
}

/** Returns the address of the registry that an administrator or else the user has chosen; empty if there is to be none. */
export function registryAddress(): string {
  const managed = managedValue(registrySetting);
  return typeof managed === 'string' && managed !== '' ? managed : readSetting(Setting.registry);
}

/** True if a change of the configuration may have changed {@link readAdministrator}. */
export function affectsAdministrator(event: vscode.ConfigurationChangeEvent): boolean {
  const settings = [accessSetting, ...Object.values(serverLists)];
  return settings.some((setting) => event.affectsConfiguration(setting));
}

/** Returns the value that a policy gives a setting: one in effect that is neither in the user's settings nor the default. */
export const managedValue = cachedReading((key: string): unknown => {
  const configuration = vscode.workspace.getConfiguration();
  const value = configuration.get<unknown>(key);
  const found: Inspected = configuration.inspect<unknown>(key) ?? {};
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue, policyValue } = found;
  if (policyValue !== undefined) return policyValue;
  const written = workspaceFolderValue ?? workspaceValue ?? globalValue ?? defaultValue;
  return canonicalJson(value) === canonicalJson(written) ? undefined : value;
});

/** The values of a setting; some editors also report those of policies. */
interface Inspected {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  readonly policyValue?: unknown;
}
