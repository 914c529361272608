import type { Readable } from 'node:stream';
import { UserError } from '../src/base/errors';
import { parseJson } from '../src/base/json';
import {
  maxRecordedLine,
  maxRecordingLength,
  parseRecording,
  type Recording,
} from '../src/calls/recording/recording';
import { RecordedServer } from '../src/calls/recording/serveRecording';
import { LineFramer } from '../src/mcp/node/lineFramer';
import { readGiven } from './givenFiles';
import { tell } from './terminal';

/** Reads a recording, which may come through a pipe; rejects with a `UserError` that names the file if it is none. */
export async function readRecording(file: string, signal: AbortSignal): Promise<Recording> {
  // No character takes more bytes than that.
  const text = await readGiven(file, 3 * maxRecordingLength, signal);
  try {
    return parseRecording(text);
  } catch (error) {
    throw error instanceof UserError ? new UserError(`${file}: ${error.message}`) : error;
  }
}

/**
 * Calls `take` with each line of a stream, or `leaveOut` if it is too long; the returned function takes what is left at an
 * end that the stream does not tell.
 */
export function onLines(
  stream: Readable,
  take: (line: string) => void,
  leaveOut: () => void,
): () => void {
  const framer = new LineFramer(maxRecordedLine, take, leaveOut);
  const end = () => framer.end();
  stream.on('data', (bytes: Buffer) => framer.push(bytes)).once('end', end);
  return end;
}

/** Answers on stdin and stdout like the server of a recording, until stdin ends. */
export async function serveRecording(
  recording: Recording,
  { delays }: { readonly delays: boolean },
  signal: AbortSignal,
): Promise<void> {
  const server = new RecordedServer(recording, {
    delays,
    send: (message) => void process.stdout.write(`${JSON.stringify(message)}\n`),
    onMissing: tell,
  });
  process.stdout.on('error', () => process.stdin.destroy());
  const refuse = (code: number, message: string) =>
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })}\n`,
    );
  const take = (line: string) => {
    if (line.trim() === '') return;
    const message = parseJson(line);
    if (message === undefined) refuse(-32700, 'It is not JSON.');
    else server.receive(message);
  };
  onLines(process.stdin, take, () => refuse(-32600, 'The message is too large.'));
  signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  await new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  server.dispose();
}
