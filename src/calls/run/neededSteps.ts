import type { Json } from '../../mcp/protocol/types';
import type { CallsFile, CallStep } from '../format/calls';
import { variablesOf } from '../format/variables';

/** Returns the steps of a file that are wanted, and earlier ones whose saved values they need, in order. */
export function neededSteps(
  file: CallsFile,
  wanted: (step: CallStep) => boolean,
): readonly CallStep[] {
  const needed = new Set<string>();
  const steps: CallStep[] = [];
  for (const step of file.steps.toReversed()) {
    const saved = Object.keys(step.save);
    if (!wanted(step) && !saved.some((name) => needed.has(name))) continue;
    for (const name of saved) needed.delete(name);
    const { request, expect } = step;
    for (const name of variablesOf([request, expect] as unknown as Json)) needed.add(name);
    steps.unshift(step);
  }
  return steps;
}
