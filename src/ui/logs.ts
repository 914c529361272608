import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/log';
import { plainLabel } from '../base/text';

/** The log channels: one of the extension, and one for each server, made when it is first used. */
export interface Logs extends Disposable {
  readonly extension: Logger;
  /** The log of the server with this id. */
  ofServer(id: string): Logger;
  /** True when a person asked for the log of that server at level trace. */
  isTracing(id: string): boolean;
  /** The level that a person chose for the log of that server. */
  levelOf(id: string): vscode.LogLevel;
  /** Fires with the id of a server whose log got another level. */
  readonly onDidChangeLevel: Event<string>;
  /** Brings the log of a server to the front, or without an id the extension's own. */
  show(serverId?: string): void;
}

/** Makes the {@link Logs}. */
export function createLogs(): Logs {
  const store = new DisposableStore();
  const own = store.add(vscode.window.createOutputChannel('MCP Workbench', { log: true }));
  const channels = new Map<string, vscode.LogOutputChannel>();
  const levelChanged = store.add(new Emitter<string>());
  const channelOf = (id: string) => {
    const known = channels.get(id);
    if (known) return known;
    const name = `MCP: ${plainLabel(id)}`;
    const channel = store.add(vscode.window.createOutputChannel(name, { log: true }));
    store.add(channel.onDidChangeLogLevel(() => levelChanged.fire(id)));
    channels.set(id, channel);
    return channel;
  };
  return {
    extension: own,
    ofServer: (id) => ({
      trace: (message) => channelOf(id).trace(message),
      debug: (message) => channelOf(id).debug(message),
      info: (message) => channelOf(id).info(message),
      warn: (message) => channelOf(id).warn(message),
      error: (message) => channelOf(id).error(message),
    }),
    isTracing: (id) => channels.get(id)?.logLevel === vscode.LogLevel.Trace,
    levelOf: (id) => channelOf(id).logLevel,
    onDidChangeLevel: levelChanged.event,
    show: (serverId) => (serverId === undefined ? own : channelOf(serverId)).show(true),
    dispose: () => store.dispose(),
  };
}
