import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const piece = 'x'.repeat(100_000);

/** An HTTP server whose answers never end; `sent` returns how many bytes of them it has sent. */
export interface EndlessServer extends AsyncDisposable {
  readonly url: string;
  readonly sent: () => number;
}

/**
 * Starts a server that answers with this status and content type, and writes until the client closes the connection.
 */
export async function startEndless(status: number, type: string): Promise<EndlessServer> {
  let sent = 0;
  const server = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': type });
    const write = () => {
      if (response.destroyed) return;
      sent += piece.length;
      response.write(piece, () => setImmediate(write));
    };
    write();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    sent: () => sent,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
