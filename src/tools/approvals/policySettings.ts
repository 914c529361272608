import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';
import type { ToolPolicy } from '../gate/policy';

/** The policy in force: the user's settings, made stricter by those of the workspace and each of its folders. */
export function readPolicy(): ToolPolicy {
  return {
    servers: readSetting(Setting.toolServerPolicy),
    deny: readSetting(Setting.toolDenyList),
    trustReadOnlyHint: readSetting(Setting.toolTrustReadOnlyHint),
    maxCallsPerMinute: readSetting(Setting.toolMaxCallsPerMinute),
    maxCallsPerAnswer: readSetting(Setting.toolMaxCallsPerAnswer),
    taint: readSetting(Setting.toolTaint),
  };
}
