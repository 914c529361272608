import type { Json } from '../../mcp/protocol/types';
import type { CallsFile, CallStep } from '../format/calls';
import { variablesOf } from '../format/variables';

/** The steps of a file that a run is about. */
export interface StepChoice {
  /** True for the steps to run, which are also the only ones to update; if absent, that is all of them. */
  readonly wanted?: (step: CallStep) => boolean;
  /** True for steps that do not run, even if others need the values that they save. */
  readonly excluded?: (step: CallStep) => boolean;
}

/** Returns the steps of a file that are wanted, and earlier ones whose saved values they need, in order. */
export function neededSteps(
  file: CallsFile,
  { wanted = () => true, excluded = () => false }: StepChoice,
): readonly CallStep[] {
  const needed = new Set<string>();
  const steps: CallStep[] = [];
  for (const step of file.steps.toReversed()) {
    if (excluded(step)) continue;
    const saved = Object.keys(step.save);
    if (!wanted(step) && !saved.some((name) => needed.has(name))) continue;
    for (const name of saved) needed.delete(name);
    const { request, expect } = step;
    for (const name of variablesOf([request, expect] as unknown as Json)) needed.add(name);
    steps.unshift(step);
  }
  return steps;
}
