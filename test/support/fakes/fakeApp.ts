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
