import assert from 'node:assert/strict';
import { inEnglish } from '../../../src/base/translate';
import { applications } from '../../../src/config/applications/applications';
import { addToFile, ownServers } from '../../../src/config/share/exportServers';

const entry = {
  name: 'mcp-workbench',
  server: {
    type: 'stdio',
    command: '/home/me/bridge',
    args: ['id'],
    env: { MCP_WORKBENCH_SECRET: 'secret' },
    timeouts: { start: 60, request: 3600, total: 3600 },
  },
};
const other = { name: 'other', server: { type: 'stdio', command: 'node', args: ['a.js'] } };

describe('The entry of an agent', () => {
  for (const application of applications)
    it(`is written into the file of ${application.label} and taken out again, and others stay`, async () => {
      const before = await addToFile(application, '', [other], inEnglish);
      const written = await addToFile(application, before, [entry], inEnglish);
      const there = await ownServers(application, written);
      assert.deepEqual([...there.keys()], ['other', 'mcp-workbench']);
      assert.match(written, /MCP_WORKBENCH_SECRET/);
      const after = await application.remove(written, entry.name);
      assert.ok(!after.includes('mcp-workbench'));
      assert.deepEqual(await ownServers(application, after), await ownServers(application, before));
    });
});
