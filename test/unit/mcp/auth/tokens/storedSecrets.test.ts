import assert from 'node:assert/strict';
import { storedSecrets } from '../../../../../src/mcp/auth/tokens/credentials';

describe('what is stored of a sign-in', () => {
  it('has the secrets that no log shows, and no word that is missing in other texts', () => {
    const client = { client_id: 'i', client_secret: 's', token_endpoint_auth_method: 'none' };
    const tokens = { access_token: 'a', refresh_token: 'r', id_token: 'd', token_type: 'Bearer' };
    const grant = { client, tokens, tokenOrigin: 'https://idp.example', scope: 'files:read' };
    const stored = JSON.stringify({ issuer: 'x', grants: { 'https://idp.example': grant } });
    assert.deepEqual(storedSecrets(stored), ['s', 'a', 'r', 'd']);
    assert.deepEqual(storedSecrets('{'), []);
  });
});
