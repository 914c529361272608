// A standalone program, `npm start`: runs the extension in an editor, on a copy of the demo workspace, with its view
// and its walkthrough showing. With `-- --sample`, it uses a copy of the tests' workspace instead.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { startEditor, type EditorServer } from '../test/support/editor/editorServer';
import {
  copyDemoWorkspace,
  copySampleWorkspace,
  sampleEnvironment,
  shippedExtensions,
} from '../test/support/editor/workspace';

/**
 * Returns the command that opens a page in the user's own browser; `undefined` in CI, without a display, or if
 * `BROWSER` is `none`.
 */
function browserCommand(url: string): [string, ...string[]] | undefined {
  if (process.env['CI'] || process.env['BROWSER'] === 'none') return undefined;
  switch (process.platform) {
    case 'win32':
      return ['rundll32', 'url.dll,FileProtocolHandler', url];
    case 'darwin':
      return ['open', url];
    default:
      return process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']
        ? ['xdg-open', url]
        : undefined;
  }
}

function openInBrowser(url: string): void {
  const [command, ...args] = browserCommand(url) ?? [];
  if (!command) return;
  // The user has the address, so a missing opener is no failure.
  spawn(command, args, { detached: true, stdio: 'ignore' })
    .once('error', () => undefined)
    .unref();
}

async function main(): Promise<void> {
  let editor: EditorServer | undefined;
  let stopping = false;
  const stop = () => {
    stopping = true;
    // Before the editor runs, there is nothing to shut down in order; its keeper notices that this process is gone.
    if (!editor) process.exit(0);
    console.log('\nStopping…');
    void editor.dispose();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  const { values } = parseArgs({ options: { sample: { type: 'boolean' } } });
  const workspace = await (values.sample ? copySampleWorkspace() : copyDemoWorkspace());
  editor = await startEditor({
    open: workspace.file,
    ...(await shippedExtensions()),
    driven: false,
    temporary: [workspace.directory],
    env: { ...sampleEnvironment, ...(!values.sample && { MCP_WORKBENCH_SHOW: '1' }) },
  });
  console.log(`\nMCP Workbench is running on a copy of a workspace:\n\n${editor.url}\n`);
  console.log('Press Ctrl-C to stop it.');
  openInBrowser(editor.url);
  await editor.ended;
  if (!stopping) throw new Error(`The editor ended by itself.\n${editor.output()}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
