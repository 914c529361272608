import { parseArgs } from 'node:util';
import { errorMessage, UserError } from '../src/base/errors';
import type { Json } from '../src/mcp/protocol/types';

const reporters = ['dot', 'json', 'junit'] as const;

/** What the command line asks for. */
export interface Options {
  readonly files: readonly string[];
  readonly reporter: (typeof reporters)[number];
  /** The file that the report is written to; the terminal if `undefined`. */
  readonly output: string | undefined;
  /** The file that a summary in Markdown is appended to. */
  readonly summary: string | undefined;
  /** The launches, each a command line or a URL, by the names that files use for their servers. */
  readonly servers: ReadonlyMap<string, string>;
  readonly variables: Readonly<Record<string, Json>>;
  readonly update: boolean;
  readonly check: boolean;
  readonly verbose: boolean;
}

/** The text that `--help` prints. */
export const usage = `Usage: mcp-workbench test [files] [options]
       mcp-workbench record|serve|replay --help

Runs saved calls (*.mcp-calls.jsonc) against MCP servers. Without files, all below this folder.

  --server NAME=COMMAND   launch this for files that are "from" NAME; a URL connects instead
  --variable NAME=VALUE   in place of a variable of the files
  --reporter dot|json|junit
  --output FILE           write the report there, and dots to the terminal
  --summary FILE          add a summary in Markdown, such as "$GITHUB_STEP_SUMMARY"
  --update                write snapshots that differ or do not exist yet
  --check                 check the servers against the specification instead of running steps
  --verbose               show what the servers log

HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY apply to servers at a URL, in capital or small letters;
servers on this machine are reached directly.

Exit code: 0 all passed, 1 something failed, 2 something could not be run.
`;

/**
 * Reads the command line; returns `help` if it asks for that or is empty. Throws a `UserError` if it makes no
 * sense.
 */
export function readOptions(args: readonly string[]): Options | 'help' {
  const { values, positionals } = parse(args);
  const [command, ...files] = positionals;
  if (values.help || command === undefined) return 'help';
  if (command !== 'test')
    throw new UserError(
      `There is no command "${command}", only "test", "record", "serve" and "replay".`,
    );
  const reporter = reporterOf(values.reporter);
  return {
    files,
    reporter,
    output: values.output,
    summary: values.summary,
    servers: new Map((values.server ?? []).map((text) => pair('--server', text))),
    variables: Object.fromEntries((values.variable ?? []).map((text) => pair('--variable', text))),
    update: values.update,
    check: values.check,
    verbose: values.verbose,
  };
}

/** Returns the reporter of a name; throws a `UserError` if there is none. */
export function reporterOf(name: string): Options['reporter'] {
  const reporter = reporters.find((one) => one === name);
  if (!reporter) throw new UserError(`--reporter must be one of: ${reporters.join(', ')}.`);
  return reporter;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        reporter: { type: 'string', default: 'dot' },
        output: { type: 'string' },
        summary: { type: 'string' },
        server: { type: 'string', multiple: true },
        variable: { type: 'string', multiple: true },
        update: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
      },
    });
  } catch (cause) {
    throw new UserError(errorMessage(cause), { cause });
  }
}

function pair(option: string, text: string): [name: string, value: string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new UserError(`${option} needs NAME=VALUE, not "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}
