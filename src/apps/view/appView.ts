/* What only an open app needs, in a file of its own that is loaded with the first app. */
export { AppBridge } from './appBridge';
export { appDocument } from './appDocument';
export { contentPolicy } from '../page/origins';
export { allowAttribute } from '../page/permissions';
export * as frame from './frameMessages';
export { hostCapabilities } from './page';
export { changingContext, hostContext } from './page';
export { sandbox, shellPage } from './page';
