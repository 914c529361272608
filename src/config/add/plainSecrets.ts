import { isRecord } from '../../base/json';
import { type Replace, replaceSecret } from '../../mcp/launch/commandArguments';
import { freeName } from '../configLayer';
import {
  inputIdOf,
  inputReference,
  type ImportedServer,
  type McpJsonServer,
} from './importedServer';
import { withNamed, withValues } from './text/placeholders';

/** A value that looks like a secret, and the input that takes its place. */
export interface PlainSecret {
  readonly inputId: string;
  /** The name of the variable, header, option or parameter. */
  readonly name: string;
  readonly value: string;
}

/** A server without its plain-text secrets, and those secrets. */
export interface CleanedServer {
  readonly server: McpJsonServer;
  readonly secrets: readonly PlainSecret[];
}

/** Does {@link takeSecrets} for servers that are added together; none gets an input that another has or that is taken. */
export function takeAllSecrets<T extends ImportedServer>(
  servers: readonly T[],
  taken: Iterable<string>,
): readonly (T & CleanedServer)[] {
  const ids = new Set(taken);
  return servers.map((one) => {
    const cleaned = takeSecrets(one, ids);
    for (const { inputId } of cleaned.secrets) ids.add(inputId);
    return { ...one, ...cleaned };
  });
}

/** Replaces what looks like a secret with inputs: in variables, headers, arguments, URLs and `oauth`. */
export function takeSecrets(
  { name: serverName, server }: ImportedServer,
  taken: ReadonlySet<string> = new Set(),
): CleanedServer {
  const secrets: PlainSecret[] = [];
  const take: Replace = (name, value) => {
    const isTaken = (id: string) =>
      taken.has(id) || secrets.some((one) => one.inputId === id && one.value !== value);
    const inputId = freeName(inputIdOf(serverName, name), isTaken);
    if (secrets.every((known) => known.inputId !== inputId)) secrets.push({ inputId, name, value });
    return inputReference(inputId);
  };
  const clean: Replace = (name, value) => replaceSecret(name, value, take);
  const { url, oauth } = server;
  return {
    server: {
      ...withValues(server, clean),
      ...(typeof url === 'string' && { url: clean('url', url) }),
      ...(isRecord(oauth) && { oauth: withNamed(oauth, clean) }),
    },
    secrets,
  };
}
