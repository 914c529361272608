import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { repositoryRoot } from '../support/paths';
import { useWorkbench } from '../support/workbench/journeys';
import { startFromRow, untilRow } from '../support/workbench/serverSteps';

/** A server in TypeScript, with the SDK. */
const source = (words: string, city: string) => `
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';

const server = new McpServer({ name: 'weather', version: '1.0.0' });
server.registerTool(
  'forecast',
  { description: ${JSON.stringify(words)}, inputSchema: { city: ${city} } },
  ({ city }) => ({ content: [{ type: 'text' as const, text: 'Sun in ' + city }] }),
);
void server.connect(new StdioServerTransport());
`;

describe('a server in TypeScript that is being worked on', function () {
  this.timeout(120_000);
  /** Writes the source and builds it, like a compiler in watch mode. */
  const write = async (app: string, text: string) => {
    const main = join(app, 'weather', 'src', 'main.ts');
    await mkdir(join(app, 'weather', 'src'), { recursive: true });
    await writeFile(main, text);
    await build({
      entryPoints: [main],
      outfile: join(app, 'weather', 'build', 'main.cjs'),
      bundle: true,
      platform: 'node',
      format: 'cjs',
      nodePaths: [join(repositoryRoot, 'node_modules')],
    });
  };
  const workbench = useWorkbench({
    prepare: async ({ directory }) => {
      const app = join(directory, 'app');
      await write(app, source('The weather of a city.', 'z.string()'));
      const weather = {
        command: 'node',
        args: ['weather/build/main.cjs'],
        dev: { watch: 'weather/build/**' },
      };
      await writeFile(join(app, '.mcp.json'), JSON.stringify({ mcpServers: { weather } }));
    },
  });
  const inApp = () => join(workbench().workspace.directory, 'app');

  it('restarts when it was built anew, and says what changed and what breaks', async () => {
    const { tree } = workbench();
    await startFromRow(workbench(), 'weather', 'Tools');
    await write(inApp(), source('The weather of tomorrow.', 'z.string()'));
    await tree.item('weather', '1 changed', 'forecast');
    await write(inApp(), source('The weather of tomorrow.', "z.enum(['Rome', 'Oslo'])"));
    await untilRow(workbench(), '1 changed', /^1 breaking$/);
    await workbench().screenshot('development-typescript');
  });
});
