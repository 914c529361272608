import * as vscode from 'vscode';
import { Throttle, Timer, deferred, neverAborted } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { displayName, type Progress } from '../../mcp/protocol/types';
import type { RunToolOptions, ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { TaskLeftError } from '../../mcp/session/tasks/followTask';
import type { TaskFacts, TaskHandle } from '../../mcp/session/tasks/taskState';
import { Command } from '../../ui/ids';
import { WindowClosedError } from './openTasks';
import { showMessage, withProgress } from '../../ui/messages';
import { percentOf, progressText, showRunning, type RunningCall } from './showRunning';
import type { UserAction } from '../../ui/questions/question';

/** A call runs this long before a notification about it is worth the interruption. */
const notifyAfterMs = 1500;

/** The progress of a call is shown at most this often; only the latest counts. */
const progressEveryMs = 100;

/** How a call ended, and the action by which the user wants to see it. */
interface WantedOutcome {
  readonly call: ToolCall;
  readonly outcome: ToolOutcome;
  readonly action: UserAction;
}

type Work = (options: RunToolOptions) => Promise<ToolOutcome>;

/** Shows running calls in the status bar and in notifications with a button to cancel. */
export class RunningCalls implements Disposable {
  private readonly store = new DisposableStore();
  private readonly running = new Set<RunningCall>();
  private readonly changed = this.store.add(new vscode.EventEmitter<RunningCall>());
  /** Fires with a call that begins, gets further, or has ended. */
  readonly onDidChange = this.changed.event;
  private readonly item = this.store.add(
    vscode.window.createStatusBarItem('mcpWorkbench.calls', vscode.StatusBarAlignment.Left),
  );
  private readonly wanted = this.store.add(new vscode.EventEmitter<WantedOutcome>());
  /** Fires when the user wants to see how a call in the background ended. */
  readonly onDidWantOutcome = this.wanted.event;

  constructor() {
    this.item.name = vscode.l10n.t('MCP: running tools');
    this.item.command = Command.showRunningTools;
    this.store.add(this.changed.event(() => this.updateItem()));
  }

  /** Runs `work` and shows it in the meantime; resolves with `background` as soon as the user sends it there. */
  async track(call: ToolCall, options: RunToolOptions, work: Work): Promise<ToolOutcome> {
    const sentBack = deferred<void>();
    const entry = this.add(call, options, work, () => sentBack.resolve());
    const timer = new Timer(() => this.notify(entry, sentBack.promise));
    timer.start(notifyAfterMs);
    void entry.ended.finally(() => timer.dispose()).catch(() => {});
    const { ended } = entry;
    const first = await Promise.race([ended, sentBack.promise]);
    if (first) return first;
    void ended.then((outcome) => this.announce(call, entry.label, outcome));
    return { kind: 'background', ended };
  }

  /** Runs `work` in the background to wait for a task that already exists. */
  resume(call: ToolCall, task: TaskHandle, work: Work): void {
    const entry = this.add(call, { signal: neverAborted() }, work, () => {}, task);
    entry.background = true;
    void entry.ended.then((outcome) => this.announce(call, entry.label, outcome));
  }

  /** Lists the running calls and asks what to do with the selected one. */
  show(action: UserAction): Promise<void> {
    return showRunning(action, () => [...this.running], this.changed.event);
  }

  dispose(): void {
    for (const entry of this.running) {
      if (entry.task) entry.leave(false);
      else entry.lose();
    }
    this.store.dispose();
  }

  private add(
    call: ToolCall,
    options: RunToolOptions,
    work: Work,
    onBackground: () => void,
    task?: TaskHandle,
  ): RunningCall {
    const controller = new AbortController();
    const forward = () => controller.abort(options.signal.reason);
    options.signal.addEventListener('abort', forward, { once: true });
    if (options.signal.aborted) forward();
    const reached = new Throttle(() => this.changed.fire(entry), progressEveryMs);
    const onProgress = (progress: Progress) => {
      entry.progress = progress;
      reached.run();
      if (!entry.background) options.onProgress?.(progress);
    };
    const onTask = (made: TaskHandle) => {
      entry.task = made;
      this.changed.fire(entry);
    };
    const onTaskState = (state: TaskFacts) => {
      entry.taskState = state;
      reached.run();
    };
    const entry: RunningCall = {
      call,
      label: `${plainLabel(call.server.name, 60)} › ${plainLabel(displayName(call.tool), 60)}`,
      startedAt: task?.startedAt ?? Date.now(),
      ended: work({ ...options, signal: controller.signal, onProgress, onTask, onTaskState }),
      progress: undefined,
      task,
      background: false,
      cancel: () => controller.abort(),
      lose: () => controller.abort(new WindowClosedError()),
      leave: (isForgotten) => {
        entry.isForgotten = isForgotten;
        controller.abort(new TaskLeftError(isForgotten));
      },
      toBackground: () => {
        options.signal.removeEventListener('abort', forward);
        entry.background = true;
        onBackground();
        this.changed.fire(entry);
      },
    };
    this.running.add(entry);
    this.changed.fire(entry);
    const leave = () => {
      reached.dispose();
      options.signal.removeEventListener('abort', forward);
      this.running.delete(entry);
      this.changed.fire(entry);
    };
    void entry.ended.then(leave, leave);
    return entry;
  }

  private notify(entry: RunningCall, sentBack: Promise<void>): void {
    void withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: entry.label,
        cancellable: true,
      },
      async (progress, token) => {
        let reached = 0;
        const report = () => {
          const percent = percentOf(entry.progress) ?? 0;
          progress.report({ message: progressText(entry.progress), increment: percent - reached });
          reached = Math.max(reached, percent);
        };
        const changes = this.changed.event((other) => {
          if (other === entry) report();
        });
        token.onCancellationRequested(() => entry.cancel());
        report();
        await Promise.race([entry.ended, sentBack]);
        changes.dispose();
      },
    );
  }

  private updateItem(): void {
    const [first] = this.running;
    if (!first) return this.item.hide();
    const more = this.running.size > 1 ? ` (+${this.running.size - 1})` : '';
    const text = `${first.label} ${progressText(first.progress)}`;
    this.item.text = `$(sync~spin) ${plainLabel(text, 250)}${more}`;
    this.item.tooltip = vscode.l10n.t('Running tools: choose to cancel or run in background');
    this.item.show();
  }

  private async announce(call: ToolCall, label: string, outcome: ToolOutcome): Promise<void> {
    const show = vscode.l10n.t('Show Result');
    const told = vscode.l10n.t('{0} finished in the background.', label);
    const pressed = await showMessage('info', told, show);
    if (pressed) this.wanted.fire({ call, outcome, action: pressed.action });
  }
}
