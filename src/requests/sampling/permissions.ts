import { Emitter } from '../../base/event';
import { type Memento, StoredList, isString } from '../../base/memento';
import type { Server } from '../../mcp/server';
import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { AskingServer } from '../../mcp/protocol/serverRequests';
import { pickItem } from '../../ui/steps/pickItem';
import type { StepFrame } from '../../ui/steps/stepFrame';
import type { BudgetLimits } from './hourBudget';
import type { JsonObject } from '../../mcp/protocol/types';
import { argumentPicks } from '../../ui/rows/argumentRows';
import { separator, type PickLook } from '../../ui/rows/picks';

/** What the user lets a server do: only this request, after a review, or a mode that is remembered. */
export type Consent = 'once' | SamplingMode;

type ConsentItem = PickLook & { readonly consent?: Consent; readonly isRequest?: true };

/** The most rows of a request, so that the decisions stay in view in a small window. */
const maxRequestRows = 9;

/** A request that a server is waiting for, and what shows all of it. */
export interface RequestInBrief {
  readonly parts: JsonObject;
  readonly showWhole: () => Promise<void>;
}

/** Asks whether a server may use a language model at all; `undefined` grants nothing. */
export async function askConsent(
  server: AskingServer,
  frame: StepFrame,
  limits: BudgetLimits,
  { parts, showWhole }: RequestInBrief,
): Promise<Consent | undefined> {
  const { t } = vscode.l10n;
  const name = plainLabel(server.name, 60);
  const request = t('The request');
  const items: readonly ConsentItem[] = [
    separator(request),
    ...argumentPicks(parts, maxRequestRows, request).map((row) => ({
      ...row,
      isRequest: true as const,
    })),
    separator(t('Your decision')),
    {
      label: t('Review This Request'),
      description: t('nothing is sent before you have seen it'),
      iconPath: new vscode.ThemeIcon('eye'),
      consent: 'once',
    },
    { label: t('Not Now'), iconPath: new vscode.ThemeIcon('circle-slash'), grantsNothing: true },
    {
      label: t('remember for "{0}"', name),
      kind: vscode.QuickPickItemKind.Separator,
    },
    ...(['ask', 'requests', 'budget', 'never'] as const).map((consent) => ({
      ...modeLabel(consent, limits),
      consent,
    })),
  ];
  for (;;) {
    const picked = await pickItem({
      frame,
      name: t('use of a language model'),
      prompt: t('"{0}" asks for a language model to answer a request.', name),
      placeholder: t('Enter grants nothing.'),
      items,
    });
    if (typeof picked === 'string') return undefined;
    if (!picked.isRequest) return picked.consent;
    await showWhole();
  }
}

/** Returns the texts of a row that says what a remembered mode means. */
export function modeLabel(
  mode: SamplingMode,
  { requests, tokens }: BudgetLimits,
): Pick<PickLook, 'label' | 'description' | 'iconPath'> {
  const { t } = vscode.l10n;
  switch (mode) {
    case 'ask':
      return {
        label: t('Always Review Requests and Answers'),
        iconPath: new vscode.ThemeIcon('comment-discussion'),
      };
    case 'requests':
      return {
        label: t('Review Requests Only'),
        description: t('answers are returned immediately'),
        iconPath: new vscode.ThemeIcon('comment'),
      };
    case 'budget':
      return {
        label: t('Allow a Budget'),
        description: t(
          '{0} requests and {1} tokens an hour, without review',
          requests.toLocaleString(vscode.env.language),
          tokens.toLocaleString(vscode.env.language),
        ),
        iconPath: new vscode.ThemeIcon('dashboard'),
      };
    case 'never':
      return { label: t('Never'), iconPath: new vscode.ThemeIcon('error') };
  }
}

/**
 * The ways a server may use a language model: with a review of every request and answer, with a review of requests
 * only, within a budget without review, or not at all.
 */
export const samplingModes = ['ask', 'requests', 'budget', 'never'] as const;

/** One of {@link samplingModes}. */
export type SamplingMode = (typeof samplingModes)[number];

/** What a user decided for a server, bound to how it is launched. */
export interface SamplingPermission {
  readonly server: { readonly id: string; readonly name: string };
  readonly launchFingerprint: string;
  readonly mode: SamplingMode;
  /** The id of the model that the user chose for it. */
  readonly model?: string;
}

const maxKept = 500;
const maxProviders = 100;

/** The decisions for all servers; a server that is now launched differently counts as another one. */
export class SamplingPermissions {
  private readonly kept: StoredList<SamplingPermission>;
  /** The providers of the models that have answered here. */
  private readonly answered: StoredList<string>;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'samplingPermissions', {
      max: maxKept,
      isEntry: isPermission,
    });
    this.answered = new StoredList(store, 'samplingProviders', {
      max: maxProviders,
      isEntry: isString,
    });
  }

  get all(): readonly SamplingPermission[] {
    return this.kept.all;
  }

  /** Returns the decision for a server as it is launched now; `undefined` if there is none. */
  async find(server: Server): Promise<SamplingPermission | undefined> {
    const launchFingerprint = await server.launchFingerprint();
    return this.all.find((one) => isFor(one, server.id, launchFingerprint));
  }

  /** Keeps a decision, or removes it if it is `undefined`. */
  async set(
    server: Server,
    decision: Pick<SamplingPermission, 'mode' | 'model'> | undefined,
  ): Promise<void> {
    const { id, name } = server;
    const launchFingerprint = await server.launchFingerprint();
    // Other workspaces may have other servers with this id, with decisions of their own.
    const isOld = (one: SamplingPermission) => isFor(one, id, launchFingerprint);
    if (decision)
      await this.kept.put({ server: { id, name }, launchFingerprint, ...decision }, isOld);
    else await this.kept.remove(isOld);
    this.changed.fire();
  }

  /**
   * True if a model of this one's provider has answered here. The editor asks in a dialog of its own, which begins on its
   * yes, before the first request to one, and says of each model that it can be sent requests.
   */
  hasAnswered({ vendor }: Pick<vscode.LanguageModelChat, 'vendor'>): boolean {
    return this.answered.all.includes(vendor);
  }

  /** Notes that a model has answered, or that the editor does not let it. */
  async noteAnswer(
    { vendor }: Pick<vscode.LanguageModelChat, 'vendor'>,
    hasAnswered: boolean,
  ): Promise<void> {
    if (!hasAnswered) await this.answered.remove((one) => one === vendor);
    else if (!this.answered.all.includes(vendor)) await this.answered.put(vendor, () => false);
  }

  /** Keeps the model for a server that may use one by the decision of now, whatever that was before. */
  async setModel(server: Server, model: string): Promise<void> {
    const launchFingerprint = await server.launchFingerprint();
    const isOld = (one: SamplingPermission) => isFor(one, server.id, launchFingerprint);
    const decision = this.all.find(isOld);
    if (!decision || decision.mode === 'never' || decision.model === model) return;
    await this.kept.put({ ...decision, model }, isOld);
    this.changed.fire();
  }
}

function isFor(permission: SamplingPermission, id: string, launchFingerprint: string): boolean {
  return permission.server.id === id && permission.launchFingerprint === launchFingerprint;
}

function isPermission(value: unknown): value is SamplingPermission {
  if (typeof value !== 'object' || value === null) return false;
  const { server, launchFingerprint, mode } = value as Partial<SamplingPermission>;
  return (
    typeof server?.id === 'string' &&
    typeof launchFingerprint === 'string' &&
    samplingModes.some((each) => each === mode)
  );
}
