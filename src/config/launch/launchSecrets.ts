import { looksSecret } from '../../base/secrets';
import type { ServerConfig } from '../../mcp/serverConfig';
import { canonicalJson } from '../../base/json';
import { type Values, namedValues } from './launchValues';
import { rulesOf } from './kinds/rulesOf';

/** Returns what no log may show of a launch, or of the environment variables that its configuration names. */
export function launchSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  return [...lineSecrets(config, written, env), ...rulesOf(config).secrets(config)];
}

/** Returns what looks secret in the command line or address itself, or in the environment variables that it names. */
export function lineSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  const named = Object.fromEntries(
    Array.from(canonicalJson(written).matchAll(/\$\{(?:env:)?(\w+)/g), ([, name = '']) => [
      name,
      env[name],
    ]),
  );
  return [...namedValues(named, looksSecret), ...rulesOf(config).lineSecrets(config)];
}
