import * as vscode from 'vscode';
import { deferred, Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { displayName, type Progress } from '../../mcp/protocol/types';
import type { RunToolOptions, ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import { Command } from '../../ui/ids';

/** A call takes this long before a notification about it is worth the disturbance. */
const notifyAfterMs = 1500;

interface Running {
  readonly call: ToolCall;
  readonly label: string;
  readonly ended: Promise<ToolOutcome>;
  progress: Progress | undefined;
  background: boolean;
  cancel(): void;
  toBackground(): void;
}

/** Shows the calls that run, in the status bar and in notifications with a button to cancel. */
export class RunningCalls implements Disposable {
  private readonly store = new DisposableStore();
  private readonly running = new Set<Running>();
  private readonly changed = this.store.add(new vscode.EventEmitter<Running>());
  private readonly item = this.store.add(
    vscode.window.createStatusBarItem('mcpWorkbench.calls', vscode.StatusBarAlignment.Left),
  );
  private readonly showOutcome: (call: ToolCall, outcome: ToolOutcome) => Promise<void>;

  /** @param showOutcome shows how a call ended that had been sent to the background. */
  constructor(showOutcome: (call: ToolCall, outcome: ToolOutcome) => Promise<void>) {
    this.showOutcome = showOutcome;
    this.item.name = vscode.l10n.t('MCP: running tools');
    this.item.command = Command.showRunningTools;
    this.store.add(this.changed.event(() => this.updateItem()));
  }

  /** Runs `work` and shows it meanwhile; gives `background` as soon as the person sends it there. */
  async track(
    call: ToolCall,
    options: RunToolOptions,
    work: (options: RunToolOptions) => Promise<ToolOutcome>,
  ): Promise<ToolOutcome> {
    const controller = new AbortController();
    const forward = () => controller.abort(options.signal.reason);
    options.signal.addEventListener('abort', forward, { once: true });
    if (options.signal.aborted) forward();
    const sentBack = deferred<void>();
    const onProgress = (progress: Progress) => {
      entry.progress = progress;
      this.changed.fire(entry);
      if (!entry.background) options.onProgress?.(progress);
    };
    const entry: Running = {
      call,
      label: `${plainLabel(call.server.name, 60)} › ${plainLabel(displayName(call.tool), 60)}`,
      ended: work({ signal: controller.signal, onProgress }),
      progress: undefined,
      background: false,
      cancel: () => controller.abort(),
      toBackground: () => {
        options.signal.removeEventListener('abort', forward);
        entry.background = true;
        sentBack.resolve();
      },
    };
    this.running.add(entry);
    this.changed.fire(entry);
    const timer = new Timer(() => this.notify(entry, sentBack.promise));
    timer.start(notifyAfterMs);
    const leave = () => {
      timer.dispose();
      options.signal.removeEventListener('abort', forward);
      this.running.delete(entry);
      this.changed.fire(entry);
    };
    void entry.ended.then(leave, leave);
    const { ended } = entry;
    const first = await Promise.race([ended, sentBack.promise]);
    if (first) return first;
    void ended.then((outcome) => this.announce(call, entry.label, outcome));
    return { kind: 'background', ended };
  }

  /** Lists what runs; choosing a call cancels it, a button sends it to the background. */
  async show(): Promise<void> {
    const background: vscode.QuickInputButton = {
      iconPath: new vscode.ThemeIcon('debug-step-out'),
      tooltip: vscode.l10n.t('Run in Background'),
    };
    const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { entry: Running }>();
    const store = new DisposableStore();
    pick.title = vscode.l10n.t('Running Tools');
    pick.placeholder = vscode.l10n.t('Choose a call to cancel it');
    const update = () => {
      pick.items = [...this.running].map((entry) => ({
        label: entry.label,
        description: progressText(entry.progress),
        detail: entry.background ? vscode.l10n.t('in the background') : '',
        buttons: entry.background ? [] : [background],
        entry,
      }));
    };
    store.add(pick);
    store.add(this.changed.event(update));
    store.add(pick.onDidTriggerItemButton(({ item }) => item.entry.toBackground()));
    store.add(
      pick.onDidAccept(() => {
        pick.activeItems[0]?.entry.cancel();
        pick.hide();
      }),
    );
    store.add(pick.onDidHide(() => store.dispose()));
    update();
    pick.show();
  }

  dispose(): void {
    for (const entry of this.running) entry.cancel();
    this.store.dispose();
  }

  private notify(entry: Running, sentBack: Promise<void>): void {
    void vscode.window.withProgress(
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
    this.item.text = `$(sync~spin) ${first.label} ${progressText(first.progress)}${more}`;
    this.item.tooltip = vscode.l10n.t('Running tools: choose to cancel or run in background');
    this.item.show();
  }

  private async announce(call: ToolCall, label: string, outcome: ToolOutcome): Promise<void> {
    const show = vscode.l10n.t('Show Result');
    const choice = await vscode.window.showInformationMessage(
      vscode.l10n.t('{0} has ended in the background.', label),
      show,
    );
    if (choice === show) await this.showOutcome(call, outcome);
  }
}

function percentOf(progress: Progress | undefined): number | undefined {
  const { total } = progress ?? {};
  if (!progress || !total) return undefined;
  return Math.min(100, Math.max(0, (progress.progress / total) * 100));
}

function progressText(progress: Progress | undefined): string {
  if (!progress) return '';
  const percent = percentOf(progress);
  const amount = percent === undefined ? String(progress.progress) : `${Math.round(percent)}%`;
  return progress.message ? `${amount} ${plainLabel(progress.message, 80)}` : amount;
}
