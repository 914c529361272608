import type { App } from '../../../src/apps/page/app';
import { noOrigins } from '../../../src/apps/page/origins';

/** An app that reaches nothing and wants nothing, but for what a test says. */
export function fakeApp(part: Partial<App> = {}): App {
  return {
    uri: 'ui://demo/view',
    html: '<p>',
    bytes: 3,
    origins: noOrigins,
    refused: [],
    permissions: [],
    fingerprint: 'one',
    ...part,
  };
}
