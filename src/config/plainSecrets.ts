import { looksSecret, redacted, redactSecrets } from '../base/secrets';
import { asRecord, type ForeignServer, type McpJsonServer } from './foreignServer';

/** A value that looks like a key, and the input that takes its place. */
export interface PlainSecret {
  readonly inputId: string;
  /** The name of the variable or header. */
  readonly name: string;
  readonly value: string;
}

/** A server without the secrets that stood in it, and those secrets. */
export interface CleanedServer {
  readonly server: McpJsonServer;
  readonly secrets: readonly PlainSecret[];
}

/** Puts inputs in place of the values of variables and headers that look like keys. */
export function takeSecrets({ name: serverName, server }: ForeignServer): CleanedServer {
  const secrets: PlainSecret[] = [];
  const clean = (part: unknown) =>
    Object.fromEntries(
      Object.entries(asRecord(part)).map(([name, value]) => {
        if (typeof value !== 'string' || !isPlainSecret(name, value)) return [name, value];
        const inputId = `${serverName}-${name}`.replaceAll(/[^\w.-]+/g, '-');
        // `Bearer` and the like are no part of the secret and tell what is asked for.
        const [, scheme = '', secret = value] = /^(Bearer |Basic |token )(.+)$/i.exec(value) ?? [];
        secrets.push({ inputId, name, value: secret });
        return [name, `${scheme}\${input:${inputId}}`];
      }),
    );
  const { env, headers } = server;
  return {
    server: {
      ...server,
      ...(env !== undefined && { env: clean(env) }),
      ...(headers !== undefined && { headers: clean(headers) }),
    },
    secrets,
  };
}

function isPlainSecret(name: string, value: string): boolean {
  if (value === '' || value.includes('${')) return false;
  return looksSecret(name) || redactSecrets(value) === redacted;
}
