import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { managedValue } from '../config/switches/administrator';
import { extensionToolsSetting } from '../config/switches/managedSettings';
import { Setting } from '../ui/ids';
import { readSetting } from '../ui/settings/readSetting';
import type { ToolPolicy } from './decide/policy';

/**
 * The policy in force: the user's settings, made stricter by those of the workspace and each of its folders,
 * and by an administrator's. Each call asks for it twice: it is read anew once one of them has changed.
 */
export class PolicySettings implements Disposable {
  private readonly store = new DisposableStore();
  private known: ToolPolicy | undefined;

  constructor() {
    const forget = () => (this.known = undefined);
    this.store.add(vscode.workspace.onDidChangeConfiguration(forget));
    this.store.add(vscode.workspace.onDidChangeWorkspaceFolders(forget));
  }

  get current(): ToolPolicy {
    return (this.known ??= readPolicy());
  }

  dispose(): void {
    this.store.dispose();
  }
}

function readPolicy(): ToolPolicy {
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
