import * as vscode from 'vscode';
import { delay } from '../../base/async';
import { plainLabel } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';

/** A server that takes longer than this is at hand for the next question. */
const maxWaitMs = 20_000;

/**
 * Starts the servers whose tools were never seen, so that the first question already has them. Those that
 * the person or a rule did not let start are added to `refused` and left alone from then on.
 */
export async function startUnknownServers(
  servers: Servers,
  refused: WeakSet<Server>,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<void> {
  const unknown = servers.all.filter((server) => isUnknown(server) && !refused.has(server));
  if (unknown.length === 0) return;
  const names = unknown.map(({ name }) => plainLabel(name, 60)).join(', ');
  stream.progress(vscode.l10n.t('Starting {0}', names));
  const cancelled = new Promise<void>((resolve) => {
    token.onCancellationRequested(() => resolve());
  });
  const start = async (server: Server) => {
    if ((await server.start()).kind === 'refused') refused.add(server);
  };
  const started = Promise.all(unknown.map(start));
  await Promise.race([started, delay(maxWaitMs), cancelled]);
}

function isUnknown({ state, tools }: Server): boolean {
  return state.kind === 'starting' || (state.kind === 'stopped' && tools.status === 'empty');
}
