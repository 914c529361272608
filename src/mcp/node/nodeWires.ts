import { plainLabel } from '../../base/text';
import { httpWires, type Reconnection } from '../transport/httpWires';
import type { OpenWire } from '../wire';
import type { Orphans } from './orphans';
import { serverEnvironment } from './serverEnvironment';
import type { Patience } from './stdioTransport';

/** Lines on stdout that are no messages are logged this often at most. */
const maxGarbageLines = 5;

/** Opens wires where processes can be started: stdio servers and servers at a URL. */
export function createNodeWires(
  orphans?: Orphans,
  {
    patience,
    reconnection,
  }: { readonly patience?: Patience; readonly reconnection?: Reconnection } = {},
): OpenWire {
  return async (config, { log, maxMessageBytes, authorization }) => {
    if (config.type !== 'stdio') return httpWires(config, authorization, reconnection);
    // What starts processes is loaded with the first server that is one.
    const { StdioTransport } = await import('./stdioTransport');
    const open = () => {
      const transport = new StdioTransport({
        command: config.command,
        args: config.args,
        env: serverEnvironment(process.env, config.env),
        cwd: config.cwd,
        maxMessageBytes,
        onStderr: (line) => log.info(plainLabel(line, 2000)),
        onGarbage: (line, count) => {
          if (count > maxGarbageLines) return;
          log.warn(`Not a message of the protocol on stdout: ${plainLabel(line)}`);
        },
        onSpawned: (pid) => orphans?.started(pid, config.command, config.args),
        patience,
      });
      return {
        transport,
        close: () => transport.close(),
        get ending() {
          return transport.ending;
        },
        get lastWords() {
          return transport.lastWords;
        },
        get garbage() {
          return transport.garbageLine;
        },
      };
    };
    return [open];
  };
}
