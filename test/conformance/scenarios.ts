import { createAuthorizationFetch } from '../../src/mcp/auth/authorizationFetch';
import { discoverSignIn } from '../../src/mcp/auth/client/discovery';
import type { OAuthConfig } from '../../src/mcp/serverConfig';
import { type Identity, readIdentityProvider } from '../../src/mcp/auth/identity/identity';
import { createSignInNetwork } from '../../src/mcp/node/signInNetwork';
import type { JsonObject, Tool } from '../../src/mcp/protocol/types';
import type { Server } from '../../src/mcp/server';

/** What a scenario gives to its client in addition to its name. */
export interface ScenarioContext {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly private_key_pem?: string;
  readonly signing_algorithm?: string;
  readonly valid_jwt?: string;
  readonly idp_client_id?: string;
  readonly idp_id_token?: string;
  readonly idp_issuer?: string;
  readonly idp_token_endpoint?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments?: JsonObject }[];
}

/**
 * Returns what a user would configure from the scenario's context, with the discovered issuer; `undefined` if
 * nothing.
 */
export async function configuredOAuth(
  url: string,
  scenario: string,
  context: ScenarioContext,
): Promise<OAuthConfig | undefined> {
  const { client_id: clientId, client_secret: clientSecret, valid_jwt: assertion } = context;
  const { private_key_pem: privateKey, signing_algorithm: algorithm } = context;
  if (clientId === undefined) return undefined;
  const { issuer } = await discoverSignIn(
    new URL(url),
    {},
    createAuthorizationFetch(new URL(url), createSignInNetwork()),
  );
  return {
    clientId,
    issuer,
    ...(clientSecret && { clientSecret }),
    ...(privateKey && { privateKey }),
    ...(algorithm && { algorithm }),
    ...(scenario.startsWith('auth/client-credentials') && { grantType: 'client_credentials' }),
    ...(context.idp_id_token && { provider: 'conformance' }),
    ...(assertion && { grantType: 'jwt_bearer', assertion }),
  };
}

/** Returns the identity provider that a user would configure for the scenario and is signed in to, if there is one. */
export function configuredIdentity(context: ScenarioContext): Identity | undefined {
  const { idp_client_id: clientId, idp_id_token: token, idp_issuer: issuer } = context;
  const { idp_token_endpoint: tokenEndpoint } = context;
  const provider = readIdentityProvider({ issuer, clientId, tokenEndpoint });
  if (!provider) return undefined;
  return {
    name: 'conformance',
    provider,
    source: { token: async () => token, async forget() {}, showAgain() {} },
  };
}

/** Does what a scenario wants to observe with a running server. */
export type Play = (server: Server, context: ScenarioContext) => Promise<void>;

/** The scenarios that want something other than {@link useEverything}. */
export const plays: Readonly<Record<string, Play>> = {
  // These servers only answer list requests.
  'json-schema-ref-no-deref': async () => {},
  'request-metadata': async () => {},
  'json-schema-2020-12-preservation': async (server) => {
    const schema = toolNamed(server, 'json_schema_2020_12_tool').inputSchema as JsonObject;
    await server.callTool('json_schema_echo', { schema });
  },
  // Nothing that is listed may be read before it is used.
  'sep-2640-client-no-prefetch': async () => {},
  'sep-2640-client-verify-digest': useSkills,
  'sep-2640-client-verify-size': useSkills,
  'sep-2640-client-verify-frontmatter': useSkills,
  'http-custom-headers': async (server, { toolCalls = [] }) => {
    for (const { name, arguments: args = {} } of toolCalls) await server.callTool(name, args);
  },
};

/** Calls every tool, reads every resource and gets every prompt of the server, one after another. */
export const useEverything: Play = async (server) => {
  for (const tool of server.tools.items) await server.callTool(tool.name, sampleArguments(tool));
  for (const { uri } of server.resources.items) await server.readResource(uri);
  for (const { name } of server.prompts.items) await server.getPrompt(name, {});
};

/** Reads every file of every skill, one after another. */
async function useSkills(server: Server): Promise<void> {
  for (const { resources } of server.skills.items)
    for (const { uri } of resources === 'dynamic' ? [] : resources) await server.readResource(uri);
}

/** The scenarios with a server that must be refused: a client that is fooled by it fails. */
export const refusals: ReadonlySet<string> = new Set([
  'auth/resource-mismatch',
  'auth/iss-supported-missing',
  'auth/iss-wrong-issuer',
  'auth/iss-unexpected',
  'auth/iss-normalized',
  'auth/metadata-issuer-mismatch',
  'auth/scope-retry-limit',
  'sep-2640-client-verify-digest',
  'sep-2640-client-verify-size',
  'sep-2640-client-verify-frontmatter',
]);

function toolNamed(server: Server, name: string): Tool {
  const tool = server.tools.items.find((one) => one.name === name);
  if (!tool) throw new Error(`The server has no tool ${name}`);
  return tool;
}

function sampleArguments({ inputSchema }: Tool): JsonObject {
  const properties = Object.entries(inputSchema['properties'] ?? {});
  return Object.fromEntries(
    properties.map(([name, schema], index) => {
      const { type } = schema as { readonly type?: unknown };
      if (type === 'number' || type === 'integer') return [name, index + 2];
      if (type === 'boolean') return [name, true];
      return [name, 'text'];
    }),
  );
}
