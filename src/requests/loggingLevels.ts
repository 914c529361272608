import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import type { LoggingLevel } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import type { Logs } from '../ui/logs';
import { watchServers } from '../ui/watchServers';

/** Makes every server log at the level that the user chose for its log. */
export function followLogLevels(servers: Servers, logs: Logs): Disposable {
  const store = new DisposableStore();
  const tell = (server: Server) => {
    const level = toLoggingLevel(logs.levelOf(server.id));
    server
      .setLoggingLevel(level)
      .catch((error: unknown) => logs.ofServer(server.id).warn(errorMessage(error)));
  };
  store.add(
    watchServers(servers, (server) => {
      tell(server);
      return logs.onDidChangeLevel((id) => {
        if (id === server.id) tell(server);
      });
    }),
  );
  return store;
}

/** Returns the level of the least severe messages that a log at this level shows. */
function toLoggingLevel(level: vscode.LogLevel): LoggingLevel {
  switch (level) {
    case vscode.LogLevel.Trace:
    case vscode.LogLevel.Debug:
      return 'debug';
    case vscode.LogLevel.Info:
      return 'info';
    case vscode.LogLevel.Warning:
      return 'warning';
    case vscode.LogLevel.Error:
      return 'error';
    case vscode.LogLevel.Off:
      return 'emergency';
  }
}
