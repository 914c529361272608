import { UserError } from '../../../base/errors';

/** The error of a request for which a server is not started again, because it was stopped on purpose. */
export class ServerStoppedError extends UserError {}
