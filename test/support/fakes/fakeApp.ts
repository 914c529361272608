import type { TabDeps } from '../../../src/apps/panel/appTab';
import { silentLogger } from '../../../src/base/log';
import { TrafficRecords } from '../../../src/mcp/traffic/trafficRecorder';
import type { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import { byUser } from '../../../src/ui/questions/question';
import type { App } from '../../../src/apps/page/app';
import { noOrigins } from '../../../src/apps/page/origins';

/** Creates an app without origins and permissions, except for what a test specifies. */
export function fakeApp(part: Partial<App> = {}): App {
  return {
    uri: 'ui://demo/view',
    html: '<p>',
    bytes: 3,
    origins: noOrigins,
    refused: [],
    permissions: [],
    canChange: false,
    fingerprint: 'one',
    ...part,
  };
}

/** What tabs of apps need that call nothing, in a moment that is always right. */
export function tabDeps(files: MemoryFiles): TabDeps {
  return {
    requests: {
      gate: { run: () => Promise.resolve({ kind: 'cancelled' }) },
      visit: () => Promise.resolve(false),
      draft: () => Promise.resolve(false),
    },
    files,
    questions: { permitNow: byUser, untilPermitted: () => Promise.resolve(byUser()) },
    log: silentLogger,
    records: new TrafficRecords(String),
    version: '1',
    mask: (text) => text,
  };
}
