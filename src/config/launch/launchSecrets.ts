import { looksSecret } from '../../base/secrets/secrets';
import { canonicalJson, type ServerConfig } from '../../mcp/serverConfig';
import { namedValues } from './kinds/hiddenValues';
import { rulesOf } from './kinds/rulesOf';
import type { Values } from './launchValues';

/** What of a launch no log may show, and of the environment what its configuration names. */
export function launchSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  return [...lineSecrets(config, written, env), ...rulesOf(config).secrets(config)];
}

/** What looks like a secret on the command line or in the address itself. */
export function lineSecrets(config: ServerConfig, written: ServerConfig, env: Values): string[] {
  const named = Object.fromEntries(
    Array.from(canonicalJson(written).matchAll(/\$\{(?:env:)?(\w+)/g), ([, name = '']) => [
      name,
      env[name],
    ]),
  );
  return [...namedValues(named, looksSecret), ...rulesOf(config).lineSecrets(config)];
}
