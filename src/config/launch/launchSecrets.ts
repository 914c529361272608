import { secretsOfArguments, secretsOfUrl } from '../../base/secrets/lineSecrets';
import { looksSecret, redacted, redactSecrets } from '../../base/secrets/secrets';
import { canonicalJson, type ServerConfig } from '../../mcp/serverConfig';

type Values = Readonly<Record<string, string | null | undefined>>;

/** What of a launch no log may show, and of the environment what its configuration names. */
export function launchSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  const found = lineSecrets(config, written, env);
  if (config.type === 'stdio') return [...found, ...valuesOf(config.env, isWorthHiding)];
  const { headers, oauth } = config;
  return [
    ...found,
    // `Bearer` and the like are no part of the secret.
    ...valuesOf(headers, () => true).map((value) => value.replace(/^\w+ (?=\S+$)/, '')),
    ...valuesOf({ ...oauth }, (name) => looksSecret(name) || name === 'assertion'),
  ];
}

/** What looks like a secret on the command line or in the address itself. */
export function lineSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  const named = Object.fromEntries(
    Array.from(canonicalJson(written).matchAll(/\$\{(?:env:)?(\w+)/g), ([, name = '']) => [
      name,
      env[name],
    ]),
  );
  const inLine =
    config.type === 'stdio' ? secretsOfArguments(config.args) : secretsOfUrl(config.url);
  return [...valuesOf(named, looksSecret), ...inLine];
}

/** True for values that are not just a word, a number or a switch, unless their name tells. */
export function isWorthHiding(name: string, value: string): boolean {
  return (
    looksSecret(name) ||
    redactSecrets(value) === redacted ||
    !/^(?:[\d.,:-]{0,8}|[A-Za-z]{0,11})$/.test(value)
  );
}

function valuesOf(values: Values, accept: (name: string, value: string) => boolean): string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value && accept(name, value) ? [value] : [],
  );
}
