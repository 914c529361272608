import { asRecord } from '../../base/json';

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
