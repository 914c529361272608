import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';

const shownLength = 60;

/** What is wrong with a command that is a whole command line, such as `npx -y x`; undefined for every other. */
export function argumentsInCommand(command: string, t: Translate): string | undefined {
  const [program = '', first, ...others] = command.trim().split(/\s+/);
  // A path may have blanks in it.
  if (first === undefined || !/^[\w.+-]+$/.test(program)) return undefined;
  const args = [
    JSON.stringify(plainLabel(first, shownLength)),
    ...(others.length > 0 ? ['…'] : []),
  ].join(', ');
  return t(
    '"command" is the program alone. Its arguments belong in "args": {0}.',
    `"command": "${plainLabel(program, shownLength)}", "args": [${args}]`,
  );
}
