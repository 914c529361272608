import { UserError } from '../src/base/errors';
import { spokenRevisions } from '../src/mcp/protocol/revisions';
import { clientAbilities } from '../src/mcp/protocol/serverRequests';
import { declarableAbilities, reporters } from './options';

/** The text that `completion --help` prints. */
const usage = `Usage: mcp-workbench completion bash|zsh|fish

Prints what completes the commands, options and methods of mcp-workbench in a shell:

  source <(mcp-workbench completion bash)                     # in ~/.bashrc
  source <(mcp-workbench completion zsh)                      # in ~/.zshrc, after compinit
  mcp-workbench completion fish | source                      # in ~/.config/fish/config.fish
`;

/** The methods that servers of any revision may know. */
const methods = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
  'logging/setLevel',
  'skills/list',
  'skills/get',
  'tasks/list',
  'tasks/get',
  'tasks/cancel',
];

/** What stands behind an option where that is one of a few words. */
const values: Readonly<Record<string, readonly string[]>> = {
  '--reporter': reporters,
  '--protocol-version': spokenRevisions,
  '--with': declarableAbilities,
  '--without': clientAbilities,
};

/** An option, with the word by which a help stands for its value. */
interface CompletedOption {
  readonly name: string;
  readonly value: string | undefined;
}

type Commands = readonly (readonly [name: string, options: readonly CompletedOption[]])[];

/** Prints the completion of a shell, of commands with the options that their help names; throws a `UserError` for another shell. */
export function printCompletion(
  [shell, more]: readonly string[],
  helps: Readonly<Record<string, string>>,
): number {
  const help = shell === '--help' || shell === '-h' || shell === undefined;
  const print = Object.entries(scripts).find(([name]) => name === shell)?.[1];
  if (!help && (!print || more !== undefined))
    throw new UserError('completion needs one of: bash, zsh, fish.');
  // What a help says of an option is at least two spaces away from it.
  const optionsOf = (text: string): readonly CompletedOption[] =>
    Array.from(
      `${text}\n  --help`.matchAll(/^ {2}(--[\w-]+)(?: (\S+))?/gm),
      ([, name = '', value]) => ({
        name,
        value,
      }),
    );
  const commands = Object.entries(helps).map(([name, text]) => [name, optionsOf(text)] as const);
  process.stdout.write(help || !print ? usage : print(commands));
  return 0;
}

const posix = (commands: Commands) => `_mcp_workbench() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  case "$prev" in
${Object.entries(values)
  .map(([name, all]) => `    ${name}) words="${all.join(' ')}" ;;`)
  .join('\n')}
    send) words="${methods.join(' ')}" ;;
  esac
  if [ -z "$words" ]; then
    if [ "$COMP_CWORD" -eq 1 ]; then words="${commands.map(([name]) => name).join(' ')} --version --help"
    elif [[ "$cur" == -* ]]; then
      case "\${COMP_WORDS[1]}" in
${commands.map(([name, options]) => `        ${name}) words="${options.map((one) => one.name).join(' ')}" ;;`).join('\n')}
      esac
    fi
  fi
  [ -z "$words" ] || COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _mcp_workbench mcp-workbench
`;

const fish = (commands: Commands) => {
  const line = (when: string, what: string) => `complete -c mcp-workbench -n '${when}' ${what}\n`;
  const of = (name: string) => `__fish_seen_subcommand_from ${name}`;
  const option = ({ name, value }: CompletedOption) => {
    const words = values[name];
    if (words) return `-l ${name.slice(2)} -x -a '${words.join(' ')}'`;
    const isFile = /^(?:FILE|FOLDER|COMMAND)$/.test(value ?? '');
    return `-l ${name.slice(2)}${isFile ? ' -r' : value === undefined ? '' : ' -x'}`;
  };
  return [
    line('__fish_use_subcommand', `-f -a '${commands.map(([name]) => name).join(' ')}'`),
    line(of('send'), `-f -a '${methods.join(' ')}'`),
    ...commands.flatMap(([name, options]) => options.map((one) => line(of(name), option(one)))),
  ].join('');
};

const scripts: Readonly<Record<string, (commands: Commands) => string>> = {
  bash: posix,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${posix(commands)}`,
  fish,
};
