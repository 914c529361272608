import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';

const shownLength = 60;

/** True for a command that is a whole command line, such as `npx -y x`; a path with spaces is not one. */
export function isCommandLine(command: string): boolean {
  return /^\s*[\w.+-]+\s+\S/.test(command);
}

/** Says what is wrong with a command that is a whole command line, such as `npx -y x`; `undefined` for any other. */
export function argumentsInCommand(command: string, t: Translate): string | undefined {
  if (!isCommandLine(command)) return undefined;
  const [program = '', first = '', ...others] = command.trim().split(/\s+/);
  const args = [
    JSON.stringify(plainLabel(first, shownLength)),
    ...(others.length > 0 ? ['…'] : []),
  ].join(', ');
  return t(
    '"command" is the program alone. Its arguments belong in "args": {0}.',
    `"command": "${plainLabel(program, shownLength)}", "args": [${args}]`,
  );
}
