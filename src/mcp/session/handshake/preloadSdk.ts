import type { Transport } from '@modelcontextprotocol/client';
import { latestInitialized } from '../../protocol/revisions';

const implementation = { name: 'rehearsal', version: '1' };

/** Loads the SDK and performs a handshake with nobody, so that it builds what the first one needs, above all its schemas. */
export async function preloadSdk(): Promise<void> {
  const { Client } = await import('../../sdk');
  const client = new Client(implementation, { versionNegotiation: { mode: 'legacy' } });
  const nobody: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send(message) {
      if ('id' in message)
        nobody.onmessage?.({
          jsonrpc: '2.0',
          id: message.id ?? 0,
          result: {
            protocolVersion: latestInitialized,
            capabilities: {},
            serverInfo: implementation,
          },
        });
      return Promise.resolve();
    },
  };
  await client.connect(nobody);
  await client.close();
}
