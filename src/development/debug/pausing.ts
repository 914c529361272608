import { asRecord } from '../../base/json';

/** Requests of the Debug Adapter Protocol with whose answer the debuggee runs again; an event need not follow. */
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

/** Whether the debuggee is halted after a message of its debug adapter; undefined where that says nothing of it. */
export function isPausedAfter(message: unknown): boolean | undefined {
  const { type, event, command, success } = asRecord(message);
  if (type === 'response') return success === true && resuming.has(command) ? false : undefined;
  if (type !== 'event') return undefined;
  if (event === 'stopped') return true;
  return event === 'continued' || event === 'terminated' || event === 'exited' ? false : undefined;
}
