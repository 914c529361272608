import * as vscode from 'vscode';
import { within } from '../../base/async';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { errorMessage, UserError } from '../../base/errors';
import { asRecord, canonicalJson, parseJson } from '../../base/json';
import { boundJson } from '../../base/measureJson';
import { maskedCopy } from '../../base/secretMask';
import { redactSecrets, redactText } from '../../base/secrets';
import { jsonText } from '../../base/text/jsonText';
import { addressLabel } from '../../base/text/address';
import { plainLabel, truncate } from '../../base/text/text';
import { inEnglish, type LocalizableMessage } from '../../base/translate';
import type { SpanContent, SpanContext, Tracing } from '../../base/tracing';
import { followRedirects, sameOriginOnly } from '../../mcp/http/followRedirects';
import { limitedFetch } from '../../mcp/http/limitedFetch';
import { sendRequest } from '../../mcp/http/pageFetch';
import { assertOpenUrl } from '../../mcp/http/secureUrl';
import type { OtlpTracer } from '../../mcp/otlp';
import type { Platform } from '../../mcp/platform';
import type { Servers } from '../../mcp/server';
import { registerCommands } from '../../ui/commands';
import { Command, Setting } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import { showMessage } from '../../ui/messages';
import { askOwn, noServer } from '../../ui/questions/askOwn';
import type { UserAction } from '../../ui/questions/question';
import type { Questions } from '../../ui/questions/questions';
import { onDidChangeSettings, readSetting } from '../../ui/settings/readSetting';
import { askLine } from '../../ui/steps/askLine';
import { watchServers } from '../../ui/watchServers';
import { type AdministratorRules, isSendableHeader } from './administratorRules';

/** Where collectors listen on the machine itself. */
const usualEndpoint = 'http://localhost:4318';
const endpointVariable = 'OTEL_EXPORTER_OTLP_ENDPOINT';
const headersVariable = 'OTEL_EXPORTER_OTLP_HEADERS';
const secretKey = 'traces.headers';
const toldKey = 'traces.toldAddress';
/** A window that closes waits so long for the last traces, in milliseconds. */
const lastMs = 1500;
/** So much of arguments and results is put into traces if the user wants them there, in UTF-16 units. */
const maxContentLength = 1000;

type Headers = Readonly<Record<string, string>>;

interface TracesDeps {
  readonly context: vscode.ExtensionContext;
  readonly logs: Logs;
  readonly platform: Pick<Platform, 'env'>;
  readonly administrator: Pick<AdministratorRules, 'file' | 'onDidChange'>;
}

/**
 * The traces of this window: off, with nothing loaded, unless the user or an administrator wants them. The headers of a
 * collector are kept in secret storage and go to the address alone that they were given for.
 */
export class Traces implements Disposable {
  private readonly deps: TracesDeps;
  private readonly store = new DisposableStore();
  private tracer: OtlpTracer | undefined;
  private wanted = '';
  private applying: Promise<void> = Promise.resolve();
  private isTold = false;
  private readonly starts = new Map<string, SpanContext>();

  constructor(deps: TracesDeps) {
    this.deps = deps;
    const keys = [Setting.tracesEnabled, Setting.tracesEndpoint, Setting.tracesContent];
    this.store.add(onDidChangeSettings(keys, () => this.apply()));
    this.store.add(deps.administrator.onDidChange(() => this.apply()));
    this.apply();
  }

  readonly tracing: Tracing = () => this.tracer;

  /** Returns the start of a server that is under way, which its first requests are parts of. */
  startOf(serverId: string): SpanContext | undefined {
    return this.starts.get(serverId);
  }

  /** Takes down each start of a server, from the wish to its end. */
  followStarts(servers: Servers): Disposable {
    return watchServers(servers, (server) => {
      let end: ((kind: string) => void) | undefined;
      return server.onDidChangeState(({ kind }) => {
        if (kind !== 'starting') {
          end?.(kind);
          end = undefined;
          return;
        }
        const attributes = { 'mcp_workbench.server.name': server.name };
        const start = { name: 'mcp_workbench.start', kind: 'internal', attributes } as const;
        const span = end ? undefined : this.tracer?.begin(start);
        if (!span) return;
        this.starts.set(server.id, span.context);
        end = (outcome) => {
          this.starts.delete(server.id);
          span.end({
            ...(outcome !== 'running' && { error: outcome }),
            attributes: { 'mcp_workbench.outcome': outcome },
          });
        };
      });
    });
  }

  /** Registers *Change Headers of Traces…*. */
  registerCommands(questions: Pick<Questions, 'ask'>): Disposable {
    return registerCommands(this.deps.logs, {
      [Command.changeTraceHeaders]: (action: UserAction) => this.setHeaders(action, questions),
    });
  }

  /** Sends what has ended; resolves when it is sent, or after a moment. */
  async end(): Promise<void> {
    await within(
      this.applying.then(() => this.tracer?.flush()),
      lastMs,
    );
  }

  dispose(): void {
    this.store.dispose();
  }

  private apply(): void {
    this.applying = this.applying
      .then(() => this.renew())
      .catch((error: unknown) => this.tell((t) => errorMessage(error, t)));
  }

  private async renew(): Promise<void> {
    const target = await this.target();
    const wanted = target ? canonicalJson(target) : '';
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    void this.tracer?.end();
    this.tracer = undefined;
    this.isTold = false;
    if (!target) return;
    const { withContent, headers } = target;
    const endpoint = checkedAddress(target.endpoint);
    const { version } = this.deps.context.extension.packageJSON as { readonly version: string };
    const { OtlpTracer: Loaded } = await import('../../mcp/otlp');
    const tracer: OtlpTracer = new Loaded({
      endpoint,
      headers,
      send: collectorFetch,
      service: { name: 'mcp-workbench', version },
      // What comes of one that was replaced says nothing of this one.
      onFailure: (problem) => {
        if (this.tracer === tracer) this.tell(problem);
      },
      ...(withContent && { content: (value: unknown) => this.textOf(value) }),
    });
    this.tracer = tracer;
    if (target.isOfVariable) await this.tellAddress(new URL(endpoint).origin);
  }

  /** Tells of an address that a variable names, once: in a container, the variable can be a repository's. */
  private async tellAddress(address: string): Promise<void> {
    const { context, logs } = this.deps;
    if (context.globalState.get(toldKey) === address) return;
    const said: LocalizableMessage = (t) =>
      t(
        'Traces go to {0}, as {1} says. "{2}" in your settings has them sent elsewhere.',
        addressLabel(address),
        endpointVariable,
        Setting.tracesEndpoint,
      );
    logs.extension.info(plainLabel(said(inEnglish), 1000));
    void showMessage('info', said(vscode.l10n.t));
    await context.globalState.update(toldKey, address);
  }

  /** Returns where traces go; `undefined` if nobody wants them. */
  private async target() {
    const { administrator, platform, logs } = this.deps;
    const managed = administrator.file?.traces;
    if (!managed && !readSetting(Setting.tracesEnabled)) return undefined;
    const withContent = readSetting(Setting.tracesContent);
    const { endpoint, isOfVariable } = managed
      ? { endpoint: managed.endpoint, isOfVariable: false }
      : this.ownEndpoint();
    const given = managed?.headers ?? (await this.headersFor(endpoint));
    const ofVariable = isOfVariable ? readHeaders(platform.env[headersVariable] ?? '') : {};
    const headers = given ?? ofVariable ?? {};
    logs.hide(Object.values(headers));
    return { endpoint, headers, withContent, isOfVariable };
  }

  /** Returns where traces go that no administrator sends elsewhere, and whether a variable says so. */
  private ownEndpoint() {
    const own = readSetting(Setting.tracesEndpoint).trim();
    const ofMachine = this.deps.platform.env[endpointVariable] ?? '';
    return {
      endpoint: own || ofMachine || usualEndpoint,
      isOfVariable: own === '' && ofMachine !== '',
    };
  }

  private async headersFor(endpoint: string): Promise<Headers | undefined> {
    const kept = asRecord(parseJson((await this.deps.context.secrets.get(secretKey)) ?? ''));
    return kept['endpoint'] === endpoint ? (asRecord(kept['headers']) as Headers) : undefined;
  }

  private async setHeaders(action: UserAction, questions: Pick<Questions, 'ask'>): Promise<void> {
    const { t } = vscode.l10n;
    const { context } = this.deps;
    const { endpoint } = this.ownEndpoint();
    checkedAddress(endpoint);
    const title = t('Change Headers of Traces');
    const own = { server: noServer, what: t('change the headers of traces'), asked: action };
    const typed = await askOwn(questions, own, (question) =>
      askLine({
        frame: { title, actions: [], context: question },
        prompt: t('Headers for {0}. Leave it empty to send none.', addressLabel(endpoint, 100)),
        placeholder: 'Authorization=Bearer%20…, X-Team=tools',
        password: true,
        validate: (text) =>
          readHeaders(text) ? undefined : t('For example: {0}', 'Authorization=Bearer%20abc'),
      }),
    );
    const headers = typed === undefined ? undefined : readHeaders(typed);
    if (!headers) return;
    if (Object.keys(headers).length === 0) await context.secrets.delete(secretKey);
    else await context.secrets.store(secretKey, JSON.stringify({ endpoint, headers }));
    this.apply();
  }

  /** Tells of a failure once, until it works again. */
  private tell(problem: LocalizableMessage | undefined): void {
    const wasTold = this.isTold;
    this.isTold = problem !== undefined;
    if (!problem || wasTold) return;
    this.deps.logs.extension.warn(plainLabel(problem(inEnglish), 1000));
    void showMessage('warning', problem(vscode.l10n.t));
  }

  private textOf(value: unknown): SpanContent {
    const mask = (text: string) => redactText(this.deps.logs.mask(text));
    // A secret that is cut off is not recognized as one.
    const bounded = boundJson(value, {
      maxString: 8 * maxContentLength,
      maxBytes: 32 * maxContentLength,
    });
    const shown = redactSecrets(maskedCopy(bounded, mask));
    const isText = typeof shown === 'string';
    const text = isText ? truncate(shown, maxContentLength) : jsonText(shown, 0, maxContentLength);
    return text as SpanContent;
  }
}

/** An answer of a collector may be as large as this, in bytes. */
const maxAnswerBytes = 100_000;

/** Sends to a collector, whose headers are for its own address alone. */
export const collectorFetch = limitedFetch(
  maxAnswerBytes,
  followRedirects(sendRequest, sameOriginOnly),
);

/** Returns the address of a collector in one spelling; throws a `UserError` for one that nothing may be sent to. */
export function checkedAddress(endpoint: string): string {
  const address = endpoint.trim().replace(/\/{1,8}$/, '');
  if (!URL.canParse(address))
    // It can hold a password all the same.
    throw new UserError((t) => t('The address for traces is not a URL.'));
  assertOpenUrl(new URL(address), (t) => t('The address for traces'));
  return address;
}

/** Reads headers as `OTEL_EXPORTER_OTLP_HEADERS` has them: `name=value`, separated by commas, percent-encoded. */
export function readHeaders(text: string): Headers | undefined {
  const pairs = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => /^([^=]{1,200})=(.*)$/s.exec(part));
  try {
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', value = ''] = pair ?? [];
        const decoded = decodeURIComponent(value.trim());
        if (!isSendableHeader(name, decoded)) throw new TypeError(name);
        return [name, decoded];
      }),
    );
  } catch {
    return undefined;
  }
}
