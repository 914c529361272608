import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { canonicalJson } from '../../mcp/serverConfig';
import { keptReading } from '../../ui/settings/keptReading';
import { accessSetting, serverLists } from './managedSettings';
import { refusingRule, type Ruled } from './serverRules';

/** What an administrator has decided, as it is now: tells of a server the rule that keeps it from running. */
export function readAdministrator(): (server: Ruled) => string | undefined {
  const access = managedValue(accessSetting);
  if (access !== undefined && access !== 'all') return () => accessSetting;
  const allowed = managedValue(serverLists.allowed);
  const denied = managedValue(serverLists.denied);
  return (server) => refusingRule({ allowed, denied }, server);
}

/** Says by which rule an administrator keeps something off. */
export function administratorText(rule: string): string {
  return vscode.l10n.t('Disabled by your administrator ({0})', plainLabel(rule, 120));
}

/** True where a change of the configuration may have changed {@link readAdministrator}. */
export function affectsAdministrator(event: vscode.ConfigurationChangeEvent): boolean {
  const settings = [accessSetting, ...Object.values(serverLists)];
  return settings.some((setting) => event.affectsConfiguration(setting));
}

/** What holds though nobody who uses this editor wrote it: the value of a policy. */
export const managedValue = keptReading((key: string): unknown => {
  const configuration = vscode.workspace.getConfiguration();
  const value = configuration.get<unknown>(key);
  const found: Inspected = configuration.inspect<unknown>(key) ?? {};
  const { defaultValue, globalValue, workspaceValue, workspaceFolderValue, policyValue } = found;
  if (policyValue !== undefined) return policyValue;
  const written = workspaceFolderValue ?? workspaceValue ?? globalValue ?? defaultValue;
  return canonicalJson(value) === canonicalJson(written) ? undefined : value;
});

/** Some editors tell of policies, too. */
interface Inspected {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  readonly policyValue?: unknown;
}
