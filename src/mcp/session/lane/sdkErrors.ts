import { SignInRequiredError } from '../../auth/signInRequired';
import type * as sdk from '../../sdk';
import { RpcError } from '../../protocol/rpcError';

/** The classes of the SDK's errors on which decisions depend. */
export interface SdkErrors {
  readonly InsufficientScopeError: typeof sdk.InsufficientScopeError;
  readonly ProtocolError: typeof sdk.ProtocolError;
  readonly SdkErrorCode: typeof sdk.SdkErrorCode;
  readonly SdkHttpError: typeof sdk.SdkHttpError;
  readonly UnauthorizedError: typeof sdk.UnauthorizedError;
}

/** A chain of causes is followed at most this deep; it may lead back to itself. */
const deepestCause = 5;

/**
 * Turns an error of the SDK, or one of its causes, into ours if decisions depend on it, so that they need
 * no SDK; returns any other as it is. Names of classes are not compared, because the build changes them.
 */
export function ownError(classes: SdkErrors, error: unknown, depth = 0): unknown {
  if (!(error instanceof Error) || depth > deepestCause) return error;
  // These only say that a sign-in is needed, in words for programmers.
  if (error instanceof classes.UnauthorizedError || isRefusedAgain(classes, error))
    return new SignInRequiredError();
  if (error instanceof classes.InsufficientScopeError)
    return new SignInRequiredError(error.message, { cause: error });
  if (error instanceof classes.ProtocolError)
    return new RpcError(error.code, error.message, error.data);
  if (error.cause !== undefined) error.cause = ownError(classes, error.cause, depth + 1);
  return error;
}

/** True if a token was refused that had just been renewed for the same request. */
function isRefusedAgain({ SdkErrorCode, SdkHttpError }: SdkErrors, error: Error): boolean {
  return error instanceof SdkHttpError && error.code === SdkErrorCode.ClientHttpAuthentication;
}
