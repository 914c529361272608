import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { canonicalJson } from '../../base/json';
import { keptReading } from '../../ui/settings/keptReading';
import { accessSetting, serverLists } from './managedSettings';
import { refusingRule, type Ruled } from './serverRules';

/** Reads what an administrator has decided; returns a function that gives the rule that keeps a server off, if any. */
export function readAdministrator(): (server: Ruled) => string | undefined {
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

/** True if a change of the configuration may have changed {@link readAdministrator}. */
export function affectsAdministrator(event: vscode.ConfigurationChangeEvent): boolean {
  const settings = [accessSetting, ...Object.values(serverLists)];
  return settings.some((setting) => event.affectsConfiguration(setting));
}

/** Returns the value that a policy gives a setting: one in effect that is neither in the user's settings nor the default. */
export const managedValue = keptReading((key: string): unknown => {
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
