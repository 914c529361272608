import type { ServerConfig } from '../../../mcp/serverConfig';
import { addressRules } from './addressRules';
import type { LaunchRules } from './launchRules';
import { processRules } from './processRules';

const rules: { readonly [C in ServerConfig as C['type']]: LaunchRules<C> } = {
  stdio: processRules,
  http: addressRules((t) => t('Address')),
  sse: addressRules((t) => t('Address (HTTP with server-sent events)')),
};

/** Returns the rules for how a server is launched. */
export function rulesOf<C extends ServerConfig>({ type }: C): LaunchRules<C> {
  return rules[type] as unknown as LaunchRules<C>;
}
