import * as vscode from 'vscode';
import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { IdentityRequest, IdentitySource } from '../../mcp/auth/identity/identity';
import type { IdentityProvider } from '../../mcp/auth/identity/identityProvider';

/** The identity token of an account that the editor itself is signed in to. */
export class EditorIdentity implements IdentitySource {
  private readonly authenticationProvider: string;
  private readonly scopes: readonly string[];

  constructor(authenticationProvider: string, { scopes = 'openid' }: IdentityProvider) {
    this.authenticationProvider = authenticationProvider;
    this.scopes = scopes.split(/\s+/).filter(Boolean);
  }

  async token({ server, interactive }: IdentityRequest): Promise<string | undefined> {
    const { authenticationProvider, scopes } = this;
    const detail = vscode.l10n.t('"{0}" signs in with it.', plainLabel(server.name));
    const how = interactive ? { createIfNone: { detail } } : { silent: true };
    const session = await vscode.authentication.getSession(authenticationProvider, scopes, how);
    if (session && !session.idToken)
      throw new UserError(
        vscode.l10n.t(
          'The account provider "{0}" of the editor gives no identity token. Remove "authenticationProvider" to sign in in the browser.',
          authenticationProvider,
        ),
      );
    return session?.idToken;
  }

  /** Does nothing: the editor itself asks. */
  showAgain(): void {}

  /** Does nothing: the account is the editor's and stays in its menu of accounts. */
  async forget(): Promise<void> {}
}
