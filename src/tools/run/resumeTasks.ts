import * as vscode from 'vscode';
import { recordLost } from '../../audit/callAudit';
import type { AuditLog } from '../../audit/auditLog';
import { plainLabel } from '../../base/text/text';
import { runCommand } from '../../ui/commands';
import { Command } from '../../ui/ids';
import { showMessage } from '../../ui/messages';
import type { LocalizableMessage } from '../../base/translate';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { CallAudit } from '../../audit/callAudit';
import type { ToolCall } from '../../contracts/toolCalls';
import { entryNamed, type Tool } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { Launches } from '../../config/launch/prepare';
import { watchServers } from '../../ui/watchServers';
import { endCall, follow } from '../../gate/toolGate';
import type { OpenCalls, OpenTask, OpenTasks } from '../../gate/send/openTasks';
import type { RunningCalls } from '../../gate/send/runningCalls';

/** What resuming tasks needs. */
interface ResumeDeps {
  readonly servers: Servers;
  readonly tasks: OpenTasks;
  readonly openCalls: OpenCalls;
  readonly running: RunningCalls;
  readonly audit: CallAudit;
  readonly schemas: SchemaCheck;
  readonly launches: Pick<Launches, 'readiness'>;
}

/** Records the calls that an earlier window left without an answer as lost, and tells the user once. */
export async function tellLostCalls(openCalls: OpenCalls, log: AuditLog): Promise<void> {
  const { t } = vscode.l10n;
  const lost = openCalls.takeLost();
  const [only, ...more] = lost;
  if (!only) return;
  for (const { id } of lost) await recordLost(log, id);
  const name = `${plainLabel(only.server, 60)} › ${plainLabel(only.tool, 60)}`;
  const again = t('Run Again');
  const show = t('Show Tool Log');
  const pressed = await showMessage(
    'warning',
    more.length === 0
      ? t(
          'The window was closed while {0} was running. Its result is lost; it may have been carried out.',
          name,
        )
      : t(
          'The window was closed while {0} and {1} more calls were running. Their results are lost; they may have been carried out.',
          name,
          more.length,
        ),
    ...(more.length === 0 ? [again] : []),
    show,
  );
  if (pressed?.button === show) await runCommand(pressed.action, Command.showToolLog);
  if (pressed?.button !== again) return;
  const { records } = await log.read();
  const begun = records.find((record) => record.kind === 'callBegun' && record.id === only.id);
  if (begun) await runCommand(pressed.action, Command.replayToolCall, { begun });
}

/** Follows the tasks that an earlier window left, as soon as their servers are running or known to start without a question. */
export function resumeTasks(deps: ResumeDeps): Disposable {
  const left = new Set(deps.tasks.all);
  return watchServers(deps.servers, (server) => {
    const store = new DisposableStore();
    const take = () => {
      for (const open of left) {
        if (open.serverId !== server.id) continue;
        left.delete(open);
        void resume(open, server, deps);
      }
    };
    store.add(
      server.onDidChangeState(({ kind }) => {
        if (kind === 'running') take();
      }),
    );
    const isWanted = [...left].some(({ serverId }) => serverId === server.id);
    if (isWanted)
      void deps.launches.readiness(server.id).then((found) => found === 'ready' && take());
    return store;
  });
}

async function resume(open: OpenTask, server: Server, deps: ResumeDeps): Promise<void> {
  const { tasks, openCalls, running, audit } = deps;
  const { id, task } = open;
  const record = audit({ id, startedAt: task.startedAt });
  if ((await server.launchFingerprint()) !== open.launchFingerprint) {
    tasks.drop(id);
    const message: LocalizableMessage = (t) =>
      t('The configuration of the server changed: its task is no longer followed.');
    return record.ended({ kind: 'failed', message });
  }
  await record.resumed();
  const bare: Tool = { name: open.tool, inputSchema: {} };
  const tool = entryNamed(server.tools, open.tool) ?? bare;
  // It was of an earlier window.
  const origin = { kind: 'user', action: undefined } as const;
  const call: ToolCall = { server, tool, arguments: {}, origin };
  running.resume(call, task, async (options) => {
    const outcome = await follow(call, task, deps.schemas, options);
    // The conversation that it belonged to is over.
    const onAnswer = () => {};
    const { signal } = options;
    const isSent = true;
    return endCall(outcome, { call, record, signal, isSent, tasks, openCalls, onAnswer });
  });
}
