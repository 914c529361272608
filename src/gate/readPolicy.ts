import { managedValue } from '../config/switches/administrator';
import { extensionToolsSetting } from '../config/switches/managedSettings';
import { Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { ToolPolicy } from './decide/policy';

/**
 * Returns the policy in force: the user's settings, made stricter by those of the workspace and each of its
 * folders, and by an administrator's.
 */
export function readPolicy(): ToolPolicy {
  return {
    servers: readSetting(Setting.toolServerPolicy),
    deny: readSetting(Setting.toolDenyList),
    trustReadOnlyHint: readSetting(Setting.toolTrustReadOnlyHint),
    maxCallsPerMinute: readSetting(Setting.toolMaxCallsPerMinute),
    maxCallsPerAnswer: readSetting(Setting.toolMaxCallsPerAnswer),
    taint: readSetting(Setting.toolTaint),
    ...(managedValue(extensionToolsSetting) === false && { barsModels: true }),
  };
}
