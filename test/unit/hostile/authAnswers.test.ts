import assert from 'node:assert/strict';
import { revealHidden } from '../../../src/base/text/text';
import { authAnswers } from '../../fixtures/hostile/authAnswers';
import { SignInFixture } from '../mcp/auth/signInFixture';

/** The longest message about a failure, whatever is in the answer. */
const longestSentence = 700;

interface Step {
  readonly path: string;
  readonly server: 'server' | 'authServer';
  /** True if the user visits a page before this step. */
  readonly visits: boolean;
}

/** The requests on the way to a token. */
const steps: Readonly<Record<string, Step>> = {
  'the description of a server': {
    path: '/.well-known/oauth-protected-resource/mcp',
    server: 'server',
    visits: false,
  },
  'the metadata of an authorization server': {
    path: '/.well-known/oauth-authorization-server',
    server: 'authServer',
    visits: false,
  },
  'a registration': { path: '/register', server: 'authServer', visits: false },
  'a token': { path: '/token', server: 'authServer', visits: true },
};

/**
 * Answers as from a server of 2025-03-26 without metadata: its endpoints have default addresses, and the user signs
 * in there.
 */
const asWithoutMetadata = /^(a page$|an error (with hidden|whose)|a refusal|a wish to)/;

/** Answers with a text where a token belongs: it is one, until the server refuses it. */
const asToken = /^fields that are (scripts|files|another|the network)/;

for (const [step, { path, server, visits }] of Object.entries(steps))
  describe(`a request for ${step}`, () => {
    for (const [name, answer] of Object.entries(authAnswers)) {
      const isDefault = path.endsWith('authorization-server') && asWithoutMetadata.test(name);
      it(`that is answered with ${name} ${isDefault ? 'leads to the usual places' : 'ends the sign-in with a sentence'}`, async () => {
        await using fixture = await SignInFixture.start();
        fixture[server].answers.set(path, answer);
        const outcome = await (await fixture.client()).signIn();
        assert.equal(outcome.kind, isDefault ? 'running' : 'failed');
        assert.equal(fixture.user.visited.length, isDefault || visits ? 1 : 0);
        const isToken = step === 'a token' && asToken.test(name);
        assert.equal(fixture.store.texts.size, isDefault || isToken ? 1 : 0);
        const said = 'message' in outcome ? outcome.message : '';
        assert.ok(said.length <= longestSentence, `${said.length} characters`);
        assert.equal(revealHidden(said), said);
        assert.doesNotMatch(said, /Unexpected|SyntaxError|invalid_type|"expected"|fetch failed|\n/);
        assert.equal(({} as Record<string, unknown>)['access_token'], undefined);
      });
    }
  });
