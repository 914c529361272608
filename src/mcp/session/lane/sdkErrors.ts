import { SignInRequiredError } from '../../auth/signInRequired';
import type * as sdk from '../../sdk';
import { RpcError } from '../../protocol/rpcError';

/** The classes of the SDK's errors that decisions rest on. */
export interface SdkErrors {
  readonly InsufficientScopeError: typeof sdk.InsufficientScopeError;
  readonly ProtocolError: typeof sdk.ProtocolError;
  readonly SdkErrorCode: typeof sdk.SdkErrorCode;
  readonly SdkHttpError: typeof sdk.SdkHttpError;
  readonly UnauthorizedError: typeof sdk.UnauthorizedError;
}

/** No chain of causes is followed further; one may lead back to itself. */
const deepestCause = 5;

/**
 * An error of the SDK, or of one of its causes, as ours where decisions rest on it, so that who
 * decides needs no SDK; any other as it is. A class is no match for its name: the build changes it.
 */
export function ownError(classes: SdkErrors, error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > deepestCause) return error;
  // These say no more than that a sign-in is needed, in words for programmers.
  if (error instanceof classes.UnauthorizedError || isRefusedAgain(classes, error))
    return new SignInRequiredError();
  if (error instanceof classes.InsufficientScopeError)
    return new SignInRequiredError(error.message, { cause: error });
  if (error instanceof classes.ProtocolError)
    return new RpcError(error.code, error.message, error.data);
  if (error.cause !== undefined) error.cause = ownError(classes, error.cause, depth + 1);
  return error;
}

/** True where a token was refused that had just been renewed for the same request. */
function isRefusedAgain({ SdkErrorCode, SdkHttpError }: SdkErrors, error: Error): boolean {
  return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication;
}
