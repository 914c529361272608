import * as vscode from 'vscode';
import { looksSecret } from '../../base/secrets/secrets';
import { Authorization } from '../../mcp/auth/authorization';
import type { TokenStore } from '../../mcp/auth/tokens/tokenStore';
import type { ServerDefinition } from '../../mcp/serverConfig';
import type { Logs } from '../../ui/logs';
import type { Questions } from '../../ui/questions/questions';
import { createBrowserVisits } from './browserVisits';
import { EditorLinks } from './editorLinks';

/** Makes the sign-ins of servers; those that are processes have none. */
export function createSignIn(
  context: vscode.ExtensionContext,
  logs: Logs,
  questions: Questions,
): (definition: ServerDefinition) => Authorization | undefined {
  const links = new EditorLinks(context.extension.id);
  context.subscriptions.push(vscode.window.registerUriHandler(links));
  const ui = createBrowserVisits(links, questions);
  const identity = { name: 'MCP Workbench' };
  return ({ id, name, config }) => {
    if (config.type === 'stdio') return undefined;
    // Another workspace may have another server of that name.
    const store = createTokenStore(context.secrets, `\n${config.url}`, logs);
    return new Authorization({ id, name }, { store, ui, identity, log: logs.ofServer(id) });
  };
}

/** The secret storage as a {@link TokenStore}; no log shows what passes through it. */
function createTokenStore(
  secrets: vscode.SecretStorage,
  keySuffix: string,
  logs: Logs,
): TokenStore {
  return {
    async get(key) {
      const text = await secrets.get(key + keySuffix);
      if (text !== undefined) logs.hide(secretsIn(text));
      return text;
    },
    async set(key, value) {
      logs.hide(secretsIn(value));
      await secrets.store(key + keySuffix, value);
    },
    delete: (key) => secrets.delete(key + keySuffix),
  };
}

/** The texts of a JSON document whose names look secret. */
function secretsIn(json: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (name, value: unknown) => {
      if (typeof value === 'string' && looksSecret(name) && name !== 'token_type')
        found.push(value);
      return value;
    });
  } catch {
    // What cannot be read is not used either.
  }
  return found;
}
