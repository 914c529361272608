import * as vscode from 'vscode';
import { delay } from '../base/async';
import { type Disposable, DisposableHolder } from '../base/disposable';
import { asRecord } from '../base/json';
import { plainLabel } from '../base/text/text';
import { bunAddress, debugHost } from '../mcp/launch/debuggees';
import type { DebugType, ServerDefinition } from '../mcp/serverConfig';
import type { DebugPlace, DeadlineHold, ReadyDebugger } from '../mcp/transport/serverTransport';
import { showMessage } from '../ui/messages';

/** Requests of the Debug Adapter Protocol after whose response the debuggee runs again, with or without an event. */
const resuming: ReadonlySet<unknown> = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
  'restartFrame',
  'disconnect',
  'terminate',
]);

/** Returns whether the debuggee is paused after a message from its debug adapter; `undefined` if that does not say. */
export function isPausedAfter(message: unknown): boolean | undefined {
  const { type, event, command, success } = asRecord(message);
  if (type === 'response') return success === true && resuming.has(command) ? false : undefined;
  if (type !== 'event') return undefined;
  if (event === 'stopped') return true;
  return event === 'continued' || event === 'terminated' || event === 'exited' ? false : undefined;
}

/** How long to wait for a debugger to attach, in milliseconds. */
const attachMs = 30_000;
/** The field that marks the configurations of our own debug sessions. */
const mark = '__mcpServerStart';

/** The types of the editor's debuggers, and how to tell each where to attach. */
const attaching: {
  readonly [T in DebugType]: {
    readonly type: string;
    readonly where: (place: DebugPlace) => Readonly<Record<string, unknown>>;
  };
} = {
  node: {
    type: 'pwa-node',
    where: ({ port }) => ({ address: debugHost, port, timeout: attachMs, continueOnAttach: true }),
  },
  debugpy: { type: 'debugpy', where: ({ port }) => ({ connect: { host: debugHost, port } }) },
  bun: { type: 'bun', where: (place) => ({ url: bunAddress(place) }) },
};

/**
 * Prepares a debugger of the editor for one start of a server; if there is none of the type, tells the user
 * and returns `undefined`.
 */
export function readyEditorDebugger(
  { name }: Pick<ServerDefinition, 'name'>,
  type: DebugType,
  hold: DeadlineHold,
): ReadyDebugger | undefined {
  if (hasDebugger(attaching[type].type)) return new EditorDebugger(name, type, hold);
  void showMessage(
    'warning',
    vscode.l10n.t(
      'No debugger of type "{0}" is installed. "{1}" starts without one.',
      type,
      plainLabel(name),
    ),
  );
  return undefined;
}

function hasDebugger(type: string): boolean {
  return vscode.extensions.all.some(({ packageJSON }) => {
    const { debuggers } = asRecord(asRecord(packageJSON)['contributes']);
    return Array.isArray(debuggers) && debuggers.some((one) => asRecord(one)['type'] === type);
  });
}

/**
 * A debug session of the editor and its child sessions, which holds the deadlines of a server while one of
 * them is paused.
 */
class EditorDebugger implements ReadyDebugger {
  private readonly start = crypto.randomUUID();
  private readonly name: string;
  private readonly type: DebugType;
  private readonly hold: DeadlineHold;
  private readonly tracking: Disposable;
  private readonly over = new AbortController();
  private root: vscode.DebugSession | undefined;
  private starting: Thenable<boolean> = Promise.resolve(false);

  constructor(name: string, type: DebugType, hold: DeadlineHold) {
    this.name = name;
    this.type = type;
    this.hold = hold;
    this.tracking = vscode.debug.registerDebugAdapterTrackerFactory(attaching[type].type, {
      createDebugAdapterTracker: (session) => this.track(session),
    });
  }

  async attach(place: DebugPlace): Promise<boolean> {
    const { type, where } = attaching[this.type];
    const label = plainLabel(this.name);
    // The editor fills in variables in every text of this: those of a command by running it.
    const name = `MCP: ${label.replaceAll('${', '$ {')}`;
    this.starting = vscode.debug.startDebugging(
      undefined,
      {
        type,
        request: 'attach',
        name,
        ...where(place),
        internalConsoleOptions: 'neverOpen',
        suppressMultipleSessionWarning: true,
        [mark]: this.start,
      },
      { suppressDebugView: true, suppressSaveBeforeStart: true },
    );
    const late = delay(attachMs, this.over.signal).then(() => false);
    const attached = await Promise.race([this.starting, late]).catch(() => false);
    if (!attached && !this.over.signal.aborted)
      void showMessage(
        'warning',
        vscode.l10n.t('No debugger attached to "{0}". It runs without one.', label),
      );
    return attached;
  }

  detach(): void {
    this.over.abort();
    this.stop();
    // A session that is still starting is stopped once it exists.
    const forget = () => this.tracking.dispose();
    this.starting.then(forget, forget);
  }

  private track(session: vscode.DebugSession): vscode.DebugAdapterTracker | undefined {
    if (session.configuration[mark] === this.start) this.root = session;
    if (!this.isOurs(session)) return undefined;
    const halted = new DisposableHolder<Disposable>();
    const release = () => halted.dispose();
    return {
      onWillStartSession: () => {
        if (this.over.signal.aborted) this.stop();
      },
      onDidSendMessage: (message) => {
        const isPaused = isPausedAfter(message);
        if (isPaused === undefined) return;
        if (!isPaused) halted.value = undefined;
        else halted.value ??= this.hold.hold();
      },
      onWillStopSession: release,
      onError: release,
      onExit: release,
    };
  }

  /** Debuggers start a child session for each process, below the session that was started here. */
  private isOurs(session: vscode.DebugSession): boolean {
    for (let one: vscode.DebugSession | undefined = session; one; one = one.parentSession)
      if (one.id === this.root?.id) return true;
    return false;
  }

  private stop(): void {
    if (this.root) void vscode.debug.stopDebugging(this.root);
  }
}
