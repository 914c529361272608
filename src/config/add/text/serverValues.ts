import { asRecord } from '../../../base/json';
import type { McpJsonServer } from '../importedServer';

/** Returns the replacement for a value, given the name of its variable, header or option. */
type Replace = (name: string, value: string) => string;

/** Returns a server with the values of its variables, headers and arguments replaced. */
export function withValues(server: McpJsonServer, replace: Replace): McpJsonServer {
  const { env, headers, args } = server;
  return {
    ...server,
    ...(env !== undefined && { env: withNamed(env, replace) }),
    ...(headers !== undefined && { headers: withNamed(headers, replace) }),
    ...(Array.isArray(args) && { args: withArguments(args, replace) }),
  };
}

/** Returns named values with the strings among them replaced. */
export function withNamed(values: unknown, replace: Replace): McpJsonServer {
  return Object.fromEntries(
    Object.entries(asRecord(values)).map(([name, value]) => [
      name,
      typeof value === 'string' ? replace(name, value) : value,
    ]),
  );
}

function withArguments(args: readonly unknown[], replace: Replace): readonly unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const before: unknown = args[index - 1];
    const option = typeof before === 'string' ? /^--?([\w.-]+)$/.exec(before)?.[1] : undefined;
    // `--name=value`, `NAME=value` for a program that this one starts, and a header after its option.
    const form = /^(?:H|headers?)$/.test(option ?? '') ? /^(([\w-]+):\s*)(.+)$/s : assignment;
    const [, lead, name, value] = form.exec(arg) ?? [];
    if (lead !== undefined && name !== undefined && value !== undefined)
      return lead + replace(name, value);
    const isValue = option !== undefined && !arg.startsWith('-');
    return replace(isValue ? option : `argument ${index + 1}`, arg);
  });
}

const assignment = /^((?:--?)?([\w.-]+)=)(.+)$/s;
