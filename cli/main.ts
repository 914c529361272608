// The command `mcp-workbench`: runs saved calls and recordings in a plain terminal, with the client core of the extension.
import type { RequestInit as ProxiedRequest } from 'undici';
import { runTest } from './runTest';
import { readOptions, usage } from './options';
import { recordingUsage, runRecordings } from './recordings';
import { printCompletion } from './completion';
import { runSend, sendUsage } from './send';
import { runSkills, skillsUsage } from './skills';
import { runSurface, surfaceUsage } from './surface';
import { tell } from './terminal';
import { version } from '../package.json';
import { causesOf, errorMessage, UserError } from '../src/base/errors';
import { SecretMask } from '../src/base/secretMask';
import { isLoopback } from '../src/mcp/http/secureUrl';

/** The texts of all commands whose options can be completed. */
const helps = {
  ...usage,
  send: sendUsage,
  surface: surfaceUsage,
  skills: skillsUsage,
  ...recordingUsage,
  completion: '',
};

async function main(secrets: SecretMask): Promise<number> {
  const [command = '', ...args] = process.argv.slice(2);
  if (command === '--version') {
    process.stdout.write(`${version}\n`);
    return 0;
  }
  if (command === 'completion') return printCompletion(args, helps);
  const isAboutRecordings = (name: string): name is keyof typeof recordingUsage =>
    Object.hasOwn(recordingUsage, name);
  const isAboutOthers =
    isAboutRecordings(command) || ['send', 'surface', 'skills'].includes(command);
  const options = isAboutOthers ? undefined : readOptions(process.argv.slice(2));
  if (options && 'help' in options) {
    process.stdout.write(usage[options.help]);
    return 0;
  }
  await useProxies(process.env);
  const interrupted = new AbortController();
  // A second one would end this program before the servers that it started.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => interrupted.abort());
  const { signal } = interrupted;
  if (isAboutRecordings(command)) return runRecordings(command, args, secrets, signal);
  if (command === 'send') return runSend(args, secrets, signal);
  if (command === 'surface') return runSurface(args, secrets, signal);
  if (command === 'skills') return runSkills(args, secrets, signal);
  return options ? runTest(options, secrets, signal) : 0;
}

/**
 * Sends requests through the proxies that the environment names, as the editor does by itself: not every Node that this
 * runs on can. Throws a `UserError` if one of them is no URL.
 */
async function useProxies(env: NodeJS.ProcessEnv): Promise<void> {
  const named = (name: string) => env[name.toLowerCase()] || env[name] || undefined;
  const proxyIn = (...names: readonly string[]): URL | undefined => {
    const name = names.find((one) => named(one) !== undefined);
    const text = name && named(name);
    if (!text) return undefined;
    const url = text.includes('://') ? text : `http://${text}`;
    // It may contain a password, so it is not shown.
    if (!URL.canParse(url)) throw new UserError(`The proxy in ${name} is not a URL.`);
    return new URL(url);
  };
  const forHttp = proxyIn('HTTP_PROXY', 'ALL_PROXY');
  const forHttps = proxyIn('HTTPS_PROXY', 'ALL_PROXY');
  const proxies = [forHttp, forHttps].filter((one) => one !== undefined);
  if (proxies.length === 0) return;
  const { EnvHttpProxyAgent, fetch: fetchThrough } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    // An empty text keeps it from looking for itself.
    httpProxy: forHttp?.href ?? '',
    httpsProxy: forHttps?.href ?? '',
    noProxy: named('NO_PROXY') ?? '',
    // Many proxies open tunnels for https: alone.
    proxyTunnel: false,
  });
  const direct = globalThis.fetch;
  const through = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    if (isLoopback(new URL(url).hostname)) return direct(url, init);
    try {
      const options = { ...(init as unknown as ProxiedRequest), dispatcher };
      return await fetchThrough(url, options);
    } catch (error) {
      const proxy = proxies.find((one) => causesOf(error).some((cause) => isOf(one, cause)));
      if (!proxy) throw error;
      throw new UserError(`The proxy ${proxy.host} cannot be reached.`, { cause: error });
    }
  };
  globalThis.fetch = through as typeof fetch;
}

/** True if an error is about the connection to this host itself. */
function isOf({ hostname, port, protocol }: URL, error: Error): boolean {
  const { address, hostname: name, port: at } = error as Partial<Record<string, unknown>> & Error;
  const usual = protocol === 'https:' ? 443 : 80;
  return name === hostname || (address === hostname && at === Number(port || usual));
}

// Knows what servers were given, which they may repeat in whatever is written.
const secrets = new SecretMask();
main(secrets).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    tell(secrets.apply(errorMessage(error)));
    process.exitCode = 2;
  },
);
