import * as vscode from 'vscode';
import { canonicalJson } from '../../base/json';
import { addressLabel } from '../../base/text/address';
import { documentText, plainLabel } from '../../base/text/text';
import type { DocumentInput } from '../../ui/documents/documentInput';
import { runWithKeyboard } from '../../ui/keyboard';
import type { UserAction } from '../../ui/questions/question';
import { readLevels } from '../../ui/settings/readSetting';
import {
  mergeLevels,
  settingRules,
  type SettingKey,
  type SettingRule,
} from '../../ui/settings/settingRules';
import type { CurrentConfiguration } from '../configuration';
import type { AdministratorRules } from './administratorRules';
import { managedValue } from './administrator';
import { accessSetting, extensionToolsSetting, registrySetting, serverLists } from './serverRules';
import { pairText } from '../../base/translate';

/** So many servers that a policy keeps off are named. */
export const maxKeptOff = 100;
/** So much of a setting's value is shown, in UTF-16 units. */
const longestValue = 2000;

/** What is known about the policies in force. */
type PolicyState = Pick<CurrentConfiguration, 'disabled'> & {
  readonly administrator: Pick<AdministratorRules, 'path' | 'file' | 'problem'>;
};

/** Shows which policies hold in this window, and where each of them comes from. */
export async function showPolicies(
  action: UserAction,
  current: PolicyState,
  input: DocumentInput,
): Promise<void> {
  const { choice, action: chosen } = await input.ask({
    name: `${vscode.l10n.t('Policies')}.txt`,
    text: documentText(policiesText(current)),
    permit: action,
    readOnly: true,
    choices: [{ id: 'settings', title: `$(gear) ${vscode.l10n.t('Open Settings')}` }],
  });
  if (choice === 'settings' && chosen)
    await runWithKeyboard(chosen, 'workbench.action.openSettings', '@hasPolicy');
}

/** Writes down what an administrator has set, which servers that keeps off, and what the workspace has made stricter. */
export function policiesText(
  { disabled, administrator }: PolicyState,
  managed: (key: string) => unknown = managedValue,
): string {
  const { t } = vscode.l10n;
  const keptOff = disabled.flatMap(({ server, why }) =>
    why.kind === 'forbidden'
      ? [pairText(plainLabel(server.definition.name), plainLabel(why.rule, longestValue), t)]
      : [],
  );
  const more = keptOff.length - maxKeptOff;
  return [
    t('Set by your administrator'),
    ...managedSettings(t).map(([setting, effect]) => {
      const value = managed(setting);
      return value === undefined
        ? `  ${pairText(setting, t('not set'), t)}`
        : `  ${pairText(setting, shown(value), t)}\n    ${effect(value)}`;
    }),
    ...fileLines(administrator, t),
    '',
    t('Servers that this keeps off: {0}', keptOff.length),
    ...keptOff.slice(0, maxKeptOff).map((line) => `  ${line}`),
    ...(more > 0 ? [`  ${t('and {0} more', more)}`] : []),
    '',
    t('Made stricter by this workspace'),
    ...stricterLines(t),
    '',
  ].join('\n');
}

/** The settings by which an administrator decides something here, each with what a value of it does. */
function managedSettings(
  t: typeof vscode.l10n.t,
): readonly (readonly [setting: string, effect: (value: unknown) => string])[] {
  return [
    [
      accessSetting,
      (value) => (value === 'all' ? t('Every server may run.') : t('No server runs.')),
    ],
    [serverLists.allowed, () => t('Only servers that match an entry run.')],
    [serverLists.denied, () => t('Servers that match an entry do not run.')],
    [
      extensionToolsSetting,
      (value) =>
        value === false
          ? t('Calls that a model or an agent wants are refused.')
          : t('Models may call tools.'),
    ],
    [registrySetting, () => t('Add Server… searches this MCP registry.')],
  ];
}

/** Returns lines about the file of an administrator, which may not be there. */
function fileLines(
  { path, file, problem }: PolicyState['administrator'],
  t: typeof vscode.l10n.t,
): readonly string[] {
  if (path === undefined) return [];
  if (!file) return [`  ${pairText(path, t('not there'), t)}`];
  return [
    `  ${pairText(path, problem ? t('No tool is called.') : t('It makes settings stricter.'), t)}`,
    ...(problem ? [`    ${plainLabel(problem(t), longestValue)}`] : []),
    ...Object.entries(file.settings).map(([key, value]) => `    ${pairText(key, shown(value), t)}`),
    ...(file.traces
      ? [`    ${t('Traces are sent to {0}.', addressLabel(file.traces.endpoint, longestValue))}`]
      : []),
    ...(file.logFolder === undefined
      ? []
      : [`    ${t('All calls are also logged to {0}.', file.logFolder)}`]),
  ];
}

/** Returns a line for each setting that the workspace makes stricter than the user's own. */
function stricterLines(t: typeof vscode.l10n.t): readonly string[] {
  const lines = Object.entries(settingRules).flatMap(([key, known]) => {
    const rule = known as unknown as SettingRule<unknown>;
    if (rule.reach !== 'tightens') return [];
    const { user, workspace } = readLevels(key as SettingKey);
    const [own, held] = [mergeLevels(rule, user, []), mergeLevels(rule, user, workspace)];
    return canonicalJson(own) === canonicalJson(held)
      ? []
      : [`  ${pairText(key, shown(held), t)}`, `    ${t('yours: {0}', shown(own))}`];
  });
  return lines.length > 0 ? lines : [`  ${t('nothing')}`];
}

function shown(value: unknown): string {
  return plainLabel(JSON.stringify(value) ?? '', longestValue);
}
