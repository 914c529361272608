import { isRecord } from '../base/json';
import { promptActions, type PromptAction } from './promptAction';
import type { PromptArguments } from './promptEntry';

/** A prompt to run as a keybinding or a task specifies it, with the server's id or name. */
export interface RunCommand {
  readonly server: string;
  readonly prompt: string;
  readonly arguments?: PromptArguments;
  readonly action?: PromptAction;
}

/** Reads the arguments of the command; `undefined` if they name no prompt, a `problem` if one of them is invalid. */
export function parseRunCommand(
  value: unknown,
): RunCommand | { readonly problem: 'arguments' | 'action' } | undefined {
  if (!isRecord(value)) return undefined;
  const { server, prompt, arguments: args, action } = value;
  if (typeof server !== 'string' || typeof prompt !== 'string') return undefined;
  const known = promptActions.find((name) => name === action);
  if (action !== undefined && known === undefined) return { problem: 'action' };
  if (args !== undefined && !isArguments(args)) return { problem: 'arguments' };
  return {
    server,
    prompt,
    ...(args !== undefined && { arguments: args }),
    ...(known !== undefined && { action: known }),
  };
}

/** Returns a keybinding that runs the prompt, in the form of an entry in `keybindings.json`. */
export function keybindingText(command: string, args: RunCommand): string {
  return JSON.stringify({ key: '', command, args }, undefined, 2);
}

function isArguments(value: unknown): value is PromptArguments {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}
