import { UserError } from '../../../base/errors';

/** The error of a request for which a server is not started again, because the user has stopped it. */
export class ServerStoppedError extends UserError {}
