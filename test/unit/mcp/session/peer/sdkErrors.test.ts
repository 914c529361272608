import assert from 'node:assert/strict';
import { SignInRequiredError } from '../../../../../src/mcp/auth/signInRequired';
import { httpStatus, responseFailure } from '../../../../../src/mcp/protocol/errorFacts';
import * as sources from '../../../../../src/mcp/sdk';
import { RpcError } from '../../../../../src/mcp/protocol/rpcError';
import { ownError } from '../../../../../src/mcp/session/openSession';
import { loadMinifiedSdk } from '../../../../support/minifiedCore';

const builds = { 'as it is written': sources, minified: loadMinifiedSdk() };

for (const [how, sdk] of Object.entries(builds)) {
  describe(`an error of the SDK ${how}`, () => {
    const unauthorized = new sdk.UnauthorizedError('Unauthorized');
    const scope = new sdk.InsufficientScopeError({ requiredScope: 'write' });

    const refusedAgain = new sdk.SdkHttpError(
      sdk.SdkErrorCode.ClientHttpAuthentication,
      'Server returned 401 after re-authentication',
      { status: 401 },
    );
    const notOpened = new sdk.SdkHttpError(
      sdk.SdkErrorCode.ClientHttpFailedToOpenStream,
      'Failed to open SSE stream',
      { status: 503 },
    );
    const noSignIn = 'The server needs a sign-in.';

    for (const [error, message, cause] of [
      [unauthorized, noSignIn, undefined],
      [refusedAgain, noSignIn, undefined],
      [scope, scope.message, scope],
    ] as const) {
      it(`is one that a sign-in helps against: ${error.message}`, () => {
        const own = ownError(sdk, error);
        assert.ok(own instanceof SignInRequiredError);
        assert.deepEqual([own.message, own.cause], [message, cause]);
      });
    }

    it('is the answer of the server, whatever its numbers', () => {
      const own = ownError(sdk, new sdk.ProtocolError(404, 'gone', { status: 401 }));
      assert.ok(own instanceof RpcError);
      assert.deepEqual([own.code, own.message, own.data], [404, 'gone', { status: 401 }]);
      assert.equal(httpStatus(own), undefined);
    });

    it('is found below another', () => {
      const outer = new Error('outer', { cause: new sdk.ProtocolError(404, 'gone') });
      assert.equal(ownError(sdk, outer), outer);
      assert.equal(httpStatus(outer), undefined);
    });

    it('stays what it is where nothing rests on it, in a chain without end too', () => {
      const loop = new Error('loop');
      loop.cause = loop;
      for (const other of [loop, notOpened, new TypeError('x'), undefined, 'text'])
        assert.equal(ownError(sdk, other), other);
    });
  });
}

describe('a response that is not valid HTTP', () => {
  for (const code of ['HPE_UNEXPECTED_CONTENT_LENGTH', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])
    it(`is said to be that, whichever part of Node found it: ${code}`, () => {
      const error = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
      assert.equal(responseFailure(error), 'The response is not valid HTTP.');
    });
});
