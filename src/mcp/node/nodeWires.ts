import { redactText } from '../../base/secrets/redactText';
import { plainLabel } from '../../base/text/text';
import { BurstLimit } from '../../base/burstLimit';
import type { OpenWire } from '../session/wire';
import { httpWires, type Reconnection } from '../transport/httpWires';
import { locateCommand } from './commands/findCommand';
import type { Orphans } from './processes/orphans';
import type { OwnEnvironment } from './commands/searchPath';
import { serverEnvironment } from './commands/serverEnvironment';
import { stderrLevel } from '../connection/stderrLevel';
import type { Patience } from './stdio/stdioTransport';

/** Lines on stdout that are no messages are logged this often at most. */
const maxGarbageLines = 5;

/** How wires differ from the usual. */
export interface NodeWireOptions {
  readonly patience?: Patience;
  readonly reconnection?: Reconnection;
  /** What servers inherit from; the environment of this process, if left out. */
  readonly environment?: OwnEnvironment;
  /** Takes known secrets out of what servers print. */
  readonly mask?: (text: string) => string;
}

/** Opens wires where processes can be started: stdio servers and servers at a URL. */
export function createNodeWires(
  orphans?: Orphans,
  { patience, reconnection, environment, mask = (text) => text }: NodeWireOptions = {},
): OpenWire {
  const withoutSecrets = (text: string) => redactText(mask(text));
  return async (config, context) => {
    const { log, maxMessageBytes } = context;
    if (config.type !== 'stdio') return httpWires(config, context, reconnection);
    // What starts processes is loaded with the first server that is one.
    const { StdioTransport } = await import('./stdio/stdioTransport');
    const own = (await environment?.()) ?? process.env;
    const env = serverEnvironment(own, config.env, config.inheritEnvironment);
    const command = await locateCommand(config, env, own);
    const open = () => {
      const burst = new BurstLimit(log, 'lines on stderr');
      const transport = new StdioTransport({
        command,
        args: config.args,
        env,
        cwd: config.cwd,
        maxMessageBytes,
        onStderr: (line) => {
          if (burst.take()) log[stderrLevel(line)](plainLabel(withoutSecrets(line), 2000));
        },
        onGarbage: (line, count) => {
          if (count > maxGarbageLines) return;
          log.warn(`Not a message of the protocol on stdout: ${plainLabel(withoutSecrets(line))}`);
        },
        onSpawned: (pid) => orphans?.started(pid, command, config.args),
        patience,
      });
      return {
        transport,
        close: () => transport.close().finally(() => burst.dispose()),
        get ending() {
          return transport.ending;
        },
        get stderrTail() {
          return withoutSecrets(transport.stderrTail);
        },
        get garbage() {
          const { garbageLine } = transport;
          return garbageLine === undefined ? undefined : withoutSecrets(garbageLine);
        },
      };
    };
    return [open];
  };
}
