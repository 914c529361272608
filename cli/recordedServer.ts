// The program behind Serve Recording in the editor, as `mcp-workbench serve` is in a terminal: node recordedServer.js FILE
import { errorMessage } from '../src/base/errors';
import { tell } from './terminal';
import { readRecording, serveRecording } from './serveRecording';

async function main(): Promise<void> {
  const [file = ''] = process.argv.slice(2);
  const never = new AbortController().signal;
  await serveRecording(await readRecording(file, never), { delays: true }, never);
}

main().catch((error: unknown) => {
  tell(errorMessage(error));
  process.exitCode = 2;
});
