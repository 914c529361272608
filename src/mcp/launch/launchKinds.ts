import type { ServerConfig } from '../serverConfig';
import type { OpenTransport } from '../transport/serverTransport';
import { addressKind } from './addressKind';
import type { LaunchKind, Openers } from './launchKind';
import { processKind } from './processKind';

const kinds: { readonly [C in ServerConfig as C['type']]: LaunchKind<C> } = {
  stdio: processKind,
  http: addressKind('http'),
  sse: addressKind('sse'),
};

/** Returns the kind of launch of a server. */
export function kindOf<C extends ServerConfig>({ type }: C): LaunchKind<C> {
  return kinds[type] as unknown as LaunchKind<C>;
}

/** Returns the function that opens transports, with what is available on this machine. */
export function createTransports(openers: Openers): OpenTransport {
  return (config, context) => kindOf(config).open(config, context, openers);
}
