/* What only an open app needs: a file of its own, loaded with the first one. */
export { AppBridge } from './appBridge';
export { appDocument } from './appDocument';
export { contentPolicy } from '../page/contentPolicy';
export { allowAttribute } from '../page/permissions';
export * as frame from './frameMessages';
export { hostCapabilities } from './hostCapabilities';
export { changingContext, hostContext } from './hostContext';
export { sandbox, shellPage } from './page';
