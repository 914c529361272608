import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter, type Event } from '../base/event';
import type { Logger } from '../base/log';
import { SecretMask } from '../base/secretMask';
import { redactText } from '../base/secrets';
import { plainLabel, shownText, truncate, withoutColors } from '../base/text/text';

/**
 * The log channels, the extension's own and one per server, made when first used. Whatever is written passes one function:
 * no log shows secrets that are known or look like one, or what is hidden, and nothing in a line passes for another one.
 */
export interface Logs extends Disposable {
  readonly extension: Logger;
  /** Returns the log of the server with this id. */
  ofServer(id: string): Logger;
  /** True if the user set the log of that server to the level trace. */
  isTracing(id: string): boolean;
  /** Returns the level that the user chose for the log of that server. */
  levelOf(id: string): vscode.LogLevel;
  /** Fires with the id of a server when the level of its log changes. */
  readonly onDidChangeLevel: Event<string>;
  /** Hides secret values: no log shows them from now on. */
  hide(values: Iterable<string>): void;
  /** Returns a text without the secret values. */
  mask(text: string): string;
  /** Brings the log of a server to the front, or the extension's own if there is no id. */
  show(serverId?: string): void;
}

/** At most this many servers have a log of their own; the rest write to the extension's. */
export const maxChannels = 100;

/** Makes the {@link Logs}. */
export function createLogs(): Logs {
  const store = new DisposableStore();
  const own = store.add(vscode.window.createOutputChannel('MCP Workbench', { log: true }));
  const mask = new SecretMask();
  const channels = new Map<string, vscode.LogOutputChannel>();
  const levelChanged = store.add(new Emitter<string>());
  const channelOf = (id: string) => {
    const known = channels.get(id);
    if (known) return known;
    if (channels.size >= maxChannels) return own;
    const name = `MCP: ${plainLabel(id)}`;
    const channel = store.add(vscode.window.createOutputChannel(name, { log: true }));
    store.add(channel.onDidChangeLogLevel(() => levelChanged.fire(id)));
    channels.set(id, channel);
    return channel;
  };
  return {
    extension: maskedLogger(() => own, mask),
    ofServer: (id) =>
      maskedLogger(
        () => channelOf(id),
        mask,
        () => (channelOf(id) === own ? `${plainLabel(id)}: ` : ''),
      ),
    isTracing: (id) => channels.get(id)?.logLevel === vscode.LogLevel.Trace,
    levelOf: (id) => channelOf(id).logLevel,
    onDidChangeLevel: levelChanged.event,
    hide: (values) => mask.hide(values),
    mask: (text) => mask.apply(text),
    show: (serverId) => (serverId === undefined ? own : channelOf(serverId)).show(true),
    dispose: () => store.dispose(),
  };
}

/** The longest line of a log, in UTF-16 units: nobody reads more, and the editor would take long to show it. */
export const maxLogLine = 100_000;

/** Makes a logger whose channel is made only when something is written; what its level leaves out costs nothing. */
function maskedLogger(
  channel: () => vscode.LogOutputChannel,
  mask: SecretMask,
  prefix = () => '',
): Logger {
  const writer = (name: keyof Logger, level: vscode.LogLevel) => (message: string) => {
    const target = channel();
    const { logLevel } = target;
    if (logLevel === vscode.LogLevel.Off || logLevel > level) return;
    target[name](truncate(prefix() + logLine(message, mask), maxLogLine));
  };
  return {
    trace: writer('trace', vscode.LogLevel.Trace),
    debug: writer('debug', vscode.LogLevel.Debug),
    info: writer('info', vscode.LogLevel.Info),
    warn: writer('warn', vscode.LogLevel.Warning),
    error: writer('error', vscode.LogLevel.Error),
  };
}

/** Returns a message as a log shows it: further lines of it are indented, as none of the log's own is. */
function logLine(message: string, mask: SecretMask): string {
  // Cut twice, as half of a secret would not be found.
  const near = withoutColors(truncate(message, 2 * maxLogLine));
  const shown = shownText(redactText(mask.apply(near)), maxLogLine);
  return shown.replaceAll('\n', '\n    ');
}
